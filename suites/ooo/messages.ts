import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { hasAtomics } from '../arbitraries/base.ts';
import { bytesOf, size, type Size } from '../arbitraries/scalars.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { regionLength } from './parts.ts';
import { packetCount, positionOf } from '../segments.ts';

export type Kind =
  'send' | 'send-imm' | 'send-inv' | 'write' | 'write-imm' | 'read' | 'fetch-add' | 'cmp-swap';

/** One message of crafted packets, whatever the path MTU. */
export interface Message {
  kind: Kind;
  size: Size;
  /** where in the region it lies: share of the room there is */
  place: number;
  ackReq: 'all' | 'last' | 'none';
  operand: string;
  /** region of what it names, by which the kind `send-inv` is invalidated; default: 0 */
  region?: number;
}

export const everyKind: readonly Kind[] = [
  'send',
  'write',
  'read',
  'write-imm',
  'send-imm',
  'fetch-add',
  'cmp-swap',
];
export const dataKinds: readonly Kind[] = ['send', 'write', 'write-imm', 'send-imm'];

export function message(
  profile: Profile,
  kinds: readonly Kind[] = everyKind,
  most = 3,
): fc.Arbitrary<Message> {
  const possible = hasAtomics(profile) ? kinds : kinds.filter((k) => k !== 'fetch-add' && k !== 'cmp-swap');
  return fc.record({
    kind: fc.constantFrom(...possible),
    size: size(most),
    place: fc.constantFrom(0, 1, 0.5, 0.25, 0.75),
    ackReq: fc.constantFrom('last', 'all', 'none'),
    operand: fc.constantFrom('1', '0', '18446744073709551615'),
  });
}

export function messages(
  profile: Profile,
  kinds: readonly Kind[] = everyKind,
  most = 5,
): fc.Arbitrary<Message[]> {
  return fc.array(message(profile, kinds), { minLength: 1, maxLength: most, size: 'max' });
}

export function takesReceive({ kind }: Message): boolean {
  return kind.startsWith('send') || kind === 'write-imm';
}

export function waits({ kind }: Message): boolean {
  return kind === 'read' || kind === 'fetch-add' || kind === 'cmp-swap';
}

export function lengthOf({ kind, size }: Message, mtu: number): number {
  return kind === 'fetch-add' || kind === 'cmp-swap' ? 8 : bytesOf(size, mtu, 4 * mtu);
}

/** Receive WQEs of the messages, all as long as they need. */
export function receivesOf(all: readonly Message[], mtu: number): Step[] {
  return all.filter(takesReceive).map((m) => ({
    do: 'post_recv',
    length: m.kind === 'write-imm' ? 0 : lengthOf(m, mtu),
  }));
}

/** The packets of messages sent one after the other, in order; each says where it belongs. */
export function packetsOf(all: readonly Message[], mtu: number): PacketPlan[] {
  let recvWqe = 0;
  let readWqe = 0;
  const packets: PacketPlan[] = [];
  for (const m of all) {
    const numbers = waits(m) ? { readWqe: readWqe++ } : {};
    const receive = takesReceive(m) ? recvWqe++ : undefined;
    const made = waits(m) ? [request(m, mtu)] : data(m, mtu, receive);
    for (const plan of made) {
      packets.push({
        ...plan,
        psn: { from: 'start', offset: packets.length },
        place: { offset: { mtus: 0, bytes: 0 }, ...plan.place, ...numbers },
      });
    }
  }
  return packets;
}

const start: PacketPlan['psn'] = { from: 'start', offset: 0 };
const empty = { mtus: 0, bytes: 0 };

function targetOf(m: Message, mtu: number): NonNullable<PacketPlan['target']> {
  const length = lengthOf(m, mtu);
  const room = regionLength(mtu) - length;
  const offset = Math.floor(room * m.place);
  const aligned = m.kind === 'fetch-add' || m.kind === 'cmp-swap' ? offset - (offset % 8) : offset;
  return { region: m.region ?? 0, offset: aligned, length };
}

function request(m: Message, mtu: number): PacketPlan {
  const operation = { read: 'RDMA_READ_REQUEST', 'cmp-swap': 'COMPARE_SWAP' }[m.kind as string];
  return {
    operation: operation ?? 'FETCH_ADD',
    psn: start,
    ackReq: m.ackReq !== 'none',
    payload: empty,
    target: targetOf(m, mtu),
    ...(m.kind !== 'read' && { atomic: { compare: m.operand, swapOrAdd: m.operand } }),
  };
}

function data(m: Message, mtu: number, recvWqe: number | undefined): PacketPlan[] {
  const write = m.kind.startsWith('write');
  const immediate = m.kind.endsWith('-imm');
  const invalidates = m.kind === 'send-inv';
  const tail = immediate ? '_WITH_IMMEDIATE' : invalidates ? '_WITH_INVALIDATE' : '';
  const length = lengthOf(m, mtu);
  const count = packetCount(length, mtu);
  const target = targetOf(m, mtu);
  return Array.from({ length: count }, (_, i): PacketPlan => {
    const last = i === count - 1;
    const bytes = last ? length - i * mtu : mtu;
    const numbered = recvWqe !== undefined && (!write || last);
    return {
      operation: `${write ? 'RDMA_WRITE' : 'SEND'}_${positionOf(i, count)}${last ? tail : ''}`,
      psn: start,
      ackReq: m.ackReq === 'all' || (m.ackReq === 'last' && last),
      payload: bytes === mtu ? { mtus: 1, bytes: 0 } : { mtus: 0, bytes },
      ...(last && immediate && { immediate: 0x5000 + (recvWqe ?? 0) }),
      ...(last && invalidates && { invalidate: m.region ?? 0 }),
      ...(write && { target }),
      place: { offset: { mtus: i, bytes: 0 }, ...(numbered && { recvWqe }) },
    };
  });
}
