import { opcodes } from '../../../spec/constants.ts';
import { ooethFlags } from '../../../wire/packet.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { Rule } from '../../rules.ts';
import { scatter } from '../../device/memory.ts';
import type { Qp } from '../../device/qp.ts';
import type { PlacedMemory } from '../memory.ts';
import { opcodeName, operationOf } from './work.ts';
import type { SentWork } from './work.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';

/** A request packet of the device: the n-th of its work request. */
export interface SentPacket {
  qp: Qp;
  work: SentWork;
  n: number;
  packet: Packet;
  placements: PlacedMemory;
}

type Found = [expected: string, observed: string] | undefined;
type Check = (sent: SentPacket) => Found;

const checks: readonly (readonly [key: string, value: string, check: Check])[] = [
  ['mustOpcode', 'posted', checkOpcode],
  ['mustSegment', 'mtu', checkSegment],
  ['mustReceiveNumber', 'counted', (sent) => checkReceiveNumber(sent, sent.work.receiveNumber)],
  ['mustReceiveNumber', 'absent', (sent) => checkReceiveNumber(sent, undefined)],
  ['mustReadNumber', 'counted', (sent) => checkReadNumber(sent, sent.work.readNumber)],
  ['mustReadNumber', 'absent', (sent) => checkReadNumber(sent, undefined)],
  ['mustOffset', 'place', checkOffset],
  ['mustRange', 'whole', checkRange],
  ['mustPayload', 'posted', checkPayload],
  ['mustImmData', 'posted', checkImmediate],
];

/** What of the packet is not as the rules demand it. A wrong opcode leaves nothing else to compare. */
export function unmetOf(
  rules: readonly Rule[],
  sent: SentPacket,
): { rule: Rule; expected: string; observed: string }[] {
  const wrong = checkOpcode(sent) !== undefined;
  return rules.flatMap((rule) => {
    const outcome = rule.outcomes[0] ?? {};
    for (const [key, value, check] of checks) {
      if (outcomeWord(outcome, key) !== value || (wrong && key !== 'mustOpcode')) continue;
      const found = check(sent);
      if (found !== undefined) return [{ rule, expected: found[0], observed: found[1] }];
    }
    return [];
  });
}

const number = (name: string, want: number | undefined, seen: number | undefined): Found => {
  const show = (n: number | undefined): string => (n === undefined ? `no ${name}` : `${name} ${n}`);
  return want === seen ? undefined : [show(want), show(seen)];
};

function checkOpcode({ work, n, packet }: SentPacket): Found {
  const name = `ORC_${operationOf(work, n)}`;
  return opcodes[packet.opcode]?.name === name ? undefined : [name, opcodeName(packet)];
}

function startOf({ qp, work, n }: SentPacket): number {
  return work.count > 1 ? n * qp.pmtu : 0;
}

function bytesIn(sent: SentPacket): number {
  const { qp, work, n } = sent;
  if (work.kind === 'read' || work.kind === 'atomic') return 0;
  return n === work.count - 1 ? work.length - startOf(sent) : qp.pmtu;
}

function checkSegment(sent: SentPacket): Found {
  return number('payload length', bytesIn(sent), sent.packet.payloadLength);
}

function checkReceiveNumber({ packet: { ooeth } }: SentPacket, want: number | undefined): Found {
  const seen = ooeth && (ooeth.flags & ooethFlags.recvWqe) !== 0 ? ooeth.recvWqeSn : undefined;
  return number('recv_WQE_SN', want === undefined ? undefined : want & 0xffffff, seen);
}

function checkReadNumber({ packet: { ooeth } }: SentPacket, want: number | undefined): Found {
  const seen = ooeth && (ooeth.flags & ooethFlags.readWqe) !== 0 ? ooeth.readWqeSn : undefined;
  return number('read_WQE_SN', want === undefined ? undefined : want & 0xffffff, seen);
}

function checkOffset(sent: SentPacket): Found {
  return number('offset', startOf(sent), sent.packet.ooeth?.offset);
}

function checkRange({ work, packet }: SentPacket): Found {
  const { wr, length } = work;
  const words = (a: bigint | undefined, key: number | undefined, bytes: number, more = ''): string =>
    `${bytes} bytes at 0x${(a ?? 0n).toString(16)} with R_Key 0x${(key ?? 0).toString(16)}${more}`;
  const { reth, atomicEth } = packet;
  if (work.kind !== 'atomic') {
    const want = words(wr.remote_addr, wr.rkey, length);
    const seen = reth === undefined ? 'no RETH' : words(reth.va, reth.rkey, reth.dmaLen);
    return want === seen ? undefined : [want, seen];
  }
  const swaps = wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP';
  const operands = (compare: bigint, swapOrAdd: bigint): string =>
    swaps ? `, compare ${compare}, swap ${swapOrAdd}` : `, add ${swapOrAdd}`;
  const add = BigInt.asUintN(64, wr.compare_add ?? 0n);
  const want = words(
    wr.remote_addr,
    wr.rkey,
    8,
    swaps ? operands(add, BigInt.asUintN(64, wr.swap ?? 0n)) : operands(0n, add),
  );
  const seen =
    atomicEth === undefined
      ? 'no AtomicETH'
      : words(atomicEth.va, atomicEth.rkey, 8, operands(atomicEth.compare, atomicEth.swapOrAdd));
  return want === seen ? undefined : [want, seen];
}

function checkPayload(sent: SentPacket): Found {
  const { qp, work, packet, placements } = sent;
  const { payload } = packet;
  const from = startOf(sent);
  // a wrong length is told by itself
  if (work.payloadOpen || from + payload.length > work.length) return undefined;
  const wrong = (at: number): Found => [
    'the bytes of the work request',
    `another byte at ${from + at} of the message`,
  ];
  if (work.inline !== undefined) {
    const want = work.inline.subarray(from, from + payload.length);
    const at = payload.findIndex((byte, i) => byte !== want[i]);
    return at < 0 ? undefined : wrong(at);
  }
  let done = 0;
  for (const { region, offset, length } of scatter(qp.memory, work.wr.sg_list, from, payload.length)) {
    if (region !== undefined) {
      const at = payload
        .subarray(done, done + length)
        .findIndex(
          (byte, i) =>
            byte !== region.content[offset + i] && !placements.unsure(region, offset + i, Infinity),
        );
      if (at >= 0) return wrong(done + at);
    }
    done += length;
  }
  return undefined;
}

function checkImmediate({ work, n, packet }: SentPacket): Found {
  const want = work.immediate && n === work.count - 1 ? (work.wr.imm_data ?? 0) >>> 0 : undefined;
  return number('immediate data', want, packet.immediate);
}
