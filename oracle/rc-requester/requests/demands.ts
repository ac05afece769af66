import { opcodes } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { Outcome, Rule } from '../../rules.ts';
import { wrongAddressee, wrongHeader } from '../../device/packet/header.ts';
import type { Difference } from '../../device/packet/header.ts';
import { firstDifference, readMemory, scatter } from '../../device/memory.ts';
import { addressInUse } from '../../path-migration/tables.ts';
import type { RequesterEvent } from '../inputs.ts';
import type { Requester, Finding } from '../requester.ts';
import { nameOf } from '../requester.ts';
import type { RequesterState } from '../state.ts';
import { readsBefore } from '../words/reads-before.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import { requestOperation } from '../../device/queues/send-queue.ts';
import type { WorkItem } from '../../device/queues/send-queue.ts';

type Failed = Difference | undefined;
type Check = (sent: SentPacket) => Failed;

/** A request packet of the device with the work request that it belongs to, before it has changed the state. */
export interface SentPacket {
  requester: Requester;
  state: RequesterState;
  packet: Packet;
  item: WorkItem;
  first: boolean;
  event: RequesterEvent;
}

const checks: Readonly<Record<string, Check>> = {
  mustHeader: checkHeader,
  mustAddressee: checkAddressee,
  mustOpcode: checkOpcode,
  mustTarget: checkTarget,
  mustPayload: checkPayload,
  mustSame: checkSame,
};

/** What a packet shows that is not as a demand has it, by the demands whose condition stands in the YAML. */
const told: Readonly<Record<string, (sent: SentPacket) => Difference>> = {
  mustWindow: (sent) => ({
    expected: `at most ${sent.requester.attributes.maxRdAtomic ?? 0} READs and ATOMICs unanswered`,
    observed: `${nameOf(sent.item)} while ${openReads(sent).length} are`,
  }),
  mustFence: (sent) => ({
    expected: `nothing of a fenced request before ${nameOf(openReads(sent)[0])} is complete`,
    observed: nameOf(sent.item),
  }),
  mustDrain: ({ item }) => ({ expected: 'no work request started in SQD', observed: nameOf(item) }),
};

function conditional(key: string, outcome: Outcome): Check {
  const describe = told[key];
  return (sent) =>
    sent.state.machine.demands[key]?.(outcome, sent.event, sent.state) === false
      ? describe?.(sent)
      : undefined;
}

interface Demand {
  rule: Rule;
  check: Check;
}

const compiled = new WeakMap<readonly Rule[], readonly Demand[]>();

/** What the rules demand of the packet and it does not satisfy. */
export function unmetDemands(rules: readonly Rule[], sent: SentPacket): Finding[] {
  let demands = compiled.get(rules);
  if (demands === undefined) {
    demands = rules.flatMap((rule) => {
      const outcome = rule.outcomes[0] ?? {};
      return [
        ...Object.entries(checks),
        ...Object.keys(told).map((key): [string, Check] => [key, conditional(key, outcome)]),
      ].flatMap(([key, check]) => {
        const word = outcomeWord(outcome, key);
        return word === undefined ? [] : [{ rule, check }];
      });
    });
    compiled.set(rules, demands);
  }
  let unmet: Finding[] | undefined;
  for (const { rule, check } of demands) {
    const failed = check(sent);
    if (failed !== undefined) (unmet ??= []).push({ rule, ...failed });
  }
  return unmet ?? [];
}

function checkHeader({ requester, packet }: SentPacket): Failed {
  return wrongHeader(requester.connection, packet);
}

function checkAddressee({ requester, state, packet }: SentPacket): Failed {
  const { connection } = requester;
  return wrongAddressee(connection, addressInUse(connection, state.migration), packet);
}

function checkOpcode({ packet, item }: SentPacket): Failed {
  const index = psnDiff(packet.psn, item.psn);
  const expected = requestOperation(item, index === 0, index === item.count - 1);
  const info = opcodes[packet.opcode];
  if (info?.service === 'RC' && info.operation === expected) return undefined;
  return { expected: `${expected} for ${nameOf(item)}`, observed: info?.name ?? `opcode ${packet.opcode}` };
}

function checkTarget({ requester, packet, item }: SentPacket): Failed {
  const { wr, kind } = item;
  const want = { va: wr.remote_addr ?? 0n, rkey: wr.rkey ?? 0 };
  if (kind === 'send') return undefined;
  if (kind === 'atomic') {
    const eth = packet.atomicEth;
    if (eth === undefined) return undefined;
    const swaps = wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP';
    const operand = (swaps ? wr.swap : wr.compare_add) ?? 0n;
    const compare = swaps ? (wr.compare_add ?? 0n) : eth.compare;
    if (eth.va === want.va && eth.rkey === want.rkey && eth.swapOrAdd === operand && eth.compare === compare)
      return undefined;
    return {
      expected: `ATOMIC on 0x${want.va.toString(16)} with operands ${operand}, ${compare}`,
      observed: `on 0x${eth.va.toString(16)} with ${eth.swapOrAdd}, ${eth.compare}`,
    };
  }
  const { reth } = packet;
  if (reth === undefined) return undefined;
  const offset = kind === 'read' ? psnDiff(packet.psn, item.psn) * requester.attributes.pmtu : 0;
  const va = want.va + BigInt(offset);
  const length = item.length - offset;
  if (reth.va === va && reth.rkey === want.rkey && reth.dmaLen === length) return undefined;
  return {
    expected: `${length} bytes at 0x${va.toString(16)}, rkey 0x${want.rkey.toString(16)}`,
    observed: `${reth.dmaLen} bytes at 0x${reth.va.toString(16)}, rkey 0x${reth.rkey.toString(16)}`,
  };
}

function checkPayload({ requester, state, packet, item, first }: SentPacket): Failed {
  if (!first || (item.kind !== 'send' && item.kind !== 'write')) return undefined;
  const { pmtu } = requester.attributes;
  const offset = psnDiff(packet.psn, item.psn) * pmtu;
  const length = Math.max(0, Math.min(pmtu, item.length - offset));
  if (packet.payloadLength !== length)
    return { expected: `${length} bytes of payload`, observed: `${packet.payloadLength}` };
  const { immediate } = packet;
  if (immediate !== undefined && immediate !== item.wr.imm_data)
    return { expected: `immediate data ${item.wr.imm_data ?? 0}`, observed: `${immediate}` };
  if (item.inline !== undefined) return inlineDiffers(item.inline.subarray(offset, offset + length), packet);
  let at = 0;
  for (const range of scatter(requester.connection.memory, item.wr.sg_list, offset, length)) {
    const bytes = packet.payload.subarray(at, at + range.length);
    at += range.length;
    if (range.region === undefined || !range.region.alive) continue;
    const view = readMemory(state.memory, range.region, range.offset, range.length);
    const wrong = firstDifference(view, bytes);
    if (wrong < 0) continue;
    return {
      expected: `payload byte ${at - range.length + wrong} = ${view.bytes[wrong] ?? 0}`,
      observed: `${bytes[wrong] ?? 0}`,
    };
  }
  return undefined;
}

function inlineDiffers(expected: Uint8Array, { payload }: Packet): Failed {
  const wrong = payload.findIndex((byte, i) => byte !== expected[i]);
  if (wrong < 0) return undefined;
  return { expected: `payload byte ${wrong} = ${expected[wrong] ?? 0}`, observed: `${payload[wrong] ?? 0}` };
}

function checkSame({ requester, packet, first }: SentPacket): Failed {
  const before = first ? undefined : requester.copies.get(packet.psn);
  if (before === undefined) return undefined;
  const differs = (what: string): Failed => ({
    expected: `${what} of the first copy`,
    observed: `another ${what}`,
  });
  if (before.opcode !== packet.opcode) return differs('opcode');
  if (before.payloadLength !== packet.payloadLength) return differs('payload length');
  if (Buffer.compare(before.payload, packet.payload) !== 0) return differs('payload');
  if (before.immediate !== packet.immediate) return differs('immediate data');
  const [a, b] = [before.reth, packet.reth];
  if (a?.va !== b?.va || a?.rkey !== b?.rkey || a?.dmaLen !== b?.dmaLen) return differs('RETH');
  const [c, d] = [before.atomicEth, packet.atomicEth];
  if (c?.va !== d?.va || c?.swapOrAdd !== d?.swapOrAdd || c?.compare !== d?.compare)
    return differs('AtomicETH');
  return undefined;
}

function openReads({ requester, state, item }: SentPacket): WorkItem[] {
  return readsBefore(requester, state, item);
}
