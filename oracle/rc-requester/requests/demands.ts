import type { Packet } from '../../../wire/packet.ts';
import type { Rule } from '../../rules.ts';
import { addressees, headerText, type Difference } from '../../device/packet/header.ts';
import { addressInUse } from '../../path-migration/tables.ts';
import { ofRule } from '../../rulebook/outcome.ts';
import type { WorkItem } from '../../device/queues/send-queue.ts';
import type { RequesterEvent } from '../inputs.ts';
import type { Requester, Finding } from '../requester.ts';
import { nameOf } from '../requester.ts';
import type { RequesterState } from '../state.ts';
import { readsBefore } from '../words/reads-before.ts';
import { operandsDue } from '../../device/queues/request-target.ts';
import { operationDue, otherThanFirst, payloadDiffers } from './posted.ts';

/** A request packet of the device with the work request that it belongs to, before it has changed the state. */
export interface SentPacket {
  requester: Requester;
  state: RequesterState;
  packet: Packet;
  item: WorkItem;
  event: RequesterEvent;
}

/** What a packet shows that is not as a demand has it. */
const described = ofRule<(sent: SentPacket) => Difference>({
  mustHeader: ({ requester, packet }) => headerText(requester.connection, packet),
  mustAddressee: ({ requester: { connection }, state, packet }) =>
    addressees(connection.peerQpNumber, addressInUse(connection, state.migration), packet),
  mustOpcode: ({ packet, item }) => ({
    expected: `${operationDue(packet, item)} for ${nameOf(item)}`,
    observed: packet.info?.name ?? `opcode ${packet.opcode}`,
  }),
  mustTarget: targetText,
  mustPayload: payloadText,
  mustSolicit: ({ packet, event }) => ({
    expected: `solicited event bit ${Number(event.work.solicited)}`,
    observed: `${Number(packet.solicited)}`,
  }),
  mustSame: ({ requester, packet }) => {
    const what = otherThanFirst(requester, packet) ?? 'content';
    return { expected: `${what} of the first copy`, observed: `another ${what}` };
  },
  mustWindow: (sent) => ({
    expected: `at most ${sent.requester.attributes.maxRdAtomic ?? 0} READs and ATOMICs unanswered`,
    observed: `${nameOf(sent.item)} while ${openReads(sent).length} are`,
  }),
  mustFence: (sent) => ({
    expected: `nothing of a fenced request before ${nameOf(openReads(sent)[0])} is complete`,
    observed: nameOf(sent.item),
  }),
  mustDrain: ({ item }) => ({ expected: 'no work request started in SQD', observed: nameOf(item) }),
  mustBare: ({ packet }) => ({
    expected: 'no payload',
    observed: `${packet.payloadLength} bytes of payload`,
  }),
});

/** What the rules demand of the packet and it does not satisfy. */
export function unmetDemands(rules: readonly Rule[], sent: SentPacket): Finding[] {
  const { state, event } = sent;
  const { machine } = state;
  let unmet: Finding[] | undefined;
  for (const rule of rules)
    for (const { key, kept: describe } of described(rule))
      if (machine.holds(key)(rule.outcomes[0] ?? {}, event, state) === false)
        (unmet ??= []).push({ rule, ...describe(sent) });
  return unmet ?? [];
}

function targetText({ state, packet, item, event }: SentPacket): Difference {
  const { remote_addr: va = 0n, rkey = 0 } = item.wr;
  const { atomicEth: eth, reth } = packet;
  if (eth !== undefined) {
    const { swapOrAdd, compare } = operandsDue(item, packet);
    const place = (at: bigint, key: number): string => `at 0x${at.toString(16)}, rkey 0x${key.toString(16)}`;
    return {
      expected: `${place(va, rkey)}, operands ${swapOrAdd}, ${compare}`,
      observed: `${place(eth.va, eth.rkey)}, operands ${eth.swapOrAdd}, ${eth.compare}`,
    };
  }
  const received = state.machine.received(event, state);
  const from = (va + BigInt(received)).toString(16);
  return {
    expected: `${item.length - received} bytes at 0x${from}, rkey 0x${rkey.toString(16)}`,
    observed: `${reth?.dmaLen} bytes at 0x${reth?.va.toString(16)}, rkey 0x${reth?.rkey.toString(16)}`,
  };
}

function payloadText({ requester, state, packet, item, event }: SentPacket): Difference {
  const { machine } = state;
  const length = machine.segment(event, state);
  if (packet.payloadLength !== length)
    return { expected: `${length} bytes of payload`, observed: `${packet.payloadLength}` };
  const { immediate, invalidateRkey: ended } = packet;
  if (immediate !== undefined && immediate !== item.wr.imm_data)
    return { expected: `immediate data ${item.wr.imm_data ?? 0}`, observed: `${immediate}` };
  if (ended !== undefined && ended !== item.wr.invalidate_rkey)
    return {
      expected: `R_Key to invalidate 0x${(item.wr.invalidate_rkey ?? 0).toString(16)}`,
      observed: `0x${ended.toString(16)}`,
    };
  const { at = 0, want = 0 } =
    payloadDiffers(requester, state, packet, item, machine.offset(event, state)) ?? {};
  return { expected: `payload byte ${at} = ${want}`, observed: `${packet.payload[at] ?? 0}` };
}

function openReads({ requester, state, item }: SentPacket): WorkItem[] {
  return readsBefore(requester, state, item);
}
