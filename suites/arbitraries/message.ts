import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { hasAtomics, regionLength } from './base.ts';
import { inject, packet, recv } from './packets.ts';
import { fillBytes } from '../driver/setup/fill.ts';
import { bytesOf, size, type Size } from './scalars.ts';
import { packetCount, positionOf } from '../segments.ts';

export type MessageKind = 'send' | 'send-imm' | 'write' | 'write-imm' | 'read' | 'fetch-add' | 'cmp-swap';

/** One message that a requester might send; whatever it says can be made for any path MTU. */
export interface Message {
  kind: MessageKind;
  size: Size;
  /** which of its packets ask for an acknowledgement */
  ackReq: 'last' | 'all' | 'none';
  solicited: boolean;
  immediate: number;
  place: Place;
  region: number;
  rkey: 'good' | 'bad';
  atomic: { compare: string; swapOrAdd: string };
}

/** Where in its region a request aims: both ends, one byte beyond either, or a number of bytes from the start. */
export type Place = 'start' | 'end' | 'before' | 'beyond' | number;

/** Places wholly inside a region. */
function placeInside(): fc.Arbitrary<Place> {
  return fc.oneof({ withCrossShrink: true }, fc.constantFrom<Place>('start', 'end'), fc.nat(64));
}

/** A sound message of one of `kinds`, aimed inside region 0. */
export function message(
  profile: Profile,
  kinds: readonly MessageKind[],
  mostMtus = 3,
): fc.Arbitrary<Message> {
  const possible = hasAtomics(profile) ? kinds : kinds.filter((k) => k !== 'fetch-add' && k !== 'cmp-swap');
  return fc.record({
    kind: fc.constantFrom(...possible),
    size: size(mostMtus),
    ackReq: fc.constantFrom<Message['ackReq']>('last', 'all', 'none'),
    solicited: fc.boolean(),
    immediate: fc.oneof({ withCrossShrink: true }, fc.constantFrom(0, 1, 0xffffffff), fc.nat(0xffff)),
    place: placeInside(),
    region: fc.constant(0),
    rkey: fc.constant<'good' | 'bad'>('good'),
    atomic: atomicOperands(),
  });
}

// What the eight bytes at the start of region 0 hold, as the little-endian host of the DUT reads them.
const firstWord = Buffer.from(fillBytes(1, 8)).readBigUInt64LE();

/** Operands: zeros, all ones, and the value that a region of fill 1 begins with, so that a compare may hit. */
function atomicOperands(): fc.Arbitrary<Message['atomic']> {
  const word = fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom(0n, 1n, firstWord, 0xffffffffffffffffn),
    fc.bigInt({ min: 0n, max: 0xffffffffffffffffn }),
  );
  return fc.record({ compare: word.map(String), swapOrAdd: word.map(String) });
}

export const everyKind: readonly MessageKind[] = [
  'send',
  'write',
  'read',
  'write-imm',
  'send-imm',
  'fetch-add',
  'cmp-swap',
];

/** True for messages that take a receive WQE. */
export function takesReceive(kind: MessageKind): boolean {
  return kind === 'send' || kind === 'send-imm' || kind === 'write-imm';
}

/** Bytes of a message: at most what the region holds. */
export function lengthOf(m: Message, mtu: number, region = regionLength(mtu)): number {
  if (m.kind === 'fetch-add' || m.kind === 'cmp-swap') return 8;
  return bytesOf(m.size, mtu, m.kind.startsWith('send') ? 4 * mtu : region);
}

/** PSNs that a message takes: one of each packet, or of each response to a READ. */
export function psnsOf(m: Message, mtu: number): number {
  return packetCount(lengthOf(m, mtu), mtu);
}

/** Offset of the message's target in its region; atomics aim at multiples of 8 unless the place leaves the region. */
export function offsetOf(m: Message, length: number, region: number): number {
  const align = (n: number): number => (m.kind === 'fetch-add' || m.kind === 'cmp-swap' ? n - (n % 8) : n);
  switch (m.place) {
    case 'start':
      return 0;
    case 'end':
      return align(region - length);
    case 'before':
      return align(-1 - 7);
    case 'beyond':
      return align(region - length) + (m.kind === 'fetch-add' || m.kind === 'cmp-swap' ? 8 : 1);
    default:
      return align(Math.min(m.place, region - length));
  }
}

/** The packets of a message, each at the expected PSN of its turn. */
export function packetsOf(m: Message, mtu: number, region = regionLength(mtu)): PacketPlan[] {
  const length = lengthOf(m, mtu, region);
  const target = { region: m.region, offset: offsetOf(m, length, region), length, rkey: m.rkey };
  switch (m.kind) {
    case 'read':
      return [packet('RDMA_READ_REQUEST', { target, ackReq: m.ackReq !== 'none' })];
    case 'fetch-add':
    case 'cmp-swap':
      return [
        packet(m.kind === 'cmp-swap' ? 'COMPARE_SWAP' : 'FETCH_ADD', {
          target,
          atomic: m.atomic,
          ackReq: m.ackReq !== 'none',
        }),
      ];
    case 'send':
    case 'send-imm':
    case 'write':
    case 'write-imm':
      return dataPackets(m, mtu, length, target);
  }
}

/** The packets of a SEND or a WRITE of `length` bytes. `target`: memory that a WRITE names; `count`: another number than it takes. */
export function dataPackets(
  m: Pick<Message, 'kind' | 'ackReq'> & Partial<Pick<Message, 'solicited' | 'immediate'>>,
  mtu: number,
  length: number,
  target: NonNullable<PacketPlan['target']>,
  count = packetCount(length, mtu),
): PacketPlan[] {
  const write = m.kind.startsWith('write');
  const name = write ? 'RDMA_WRITE' : 'SEND';
  const withImm = m.kind.endsWith('-imm');
  return Array.from({ length: count }, (_, i) => {
    const last = i === count - 1;
    const bytes = last ? length - i * mtu : mtu;
    return packet(`${name}_${positionOf(i, count)}${last && withImm ? '_WITH_IMMEDIATE' : ''}`, {
      ackReq: m.ackReq === 'all' || (m.ackReq === 'last' && last),
      payload: bytes === mtu ? { mtus: 1, bytes: 0 } : { mtus: 0, bytes },
      ...(last && m.solicited === true && { solicited: true }),
      ...(last && withImm && { immediate: m.immediate }),
      ...(write && i === 0 && { target }),
    });
  });
}

/** Steps that send the packets of a message. */
export function send(m: Message, mtu: number): Step[] {
  return packetsOf(m, mtu).map(inject);
}

/** Receive WQEs that fit the messages; `spare`: bytes more than each needs. */
export function receivesFor(messages: readonly Message[], mtu: number, spare = 0): Step[] {
  return messages
    .filter((m) => takesReceive(m.kind))
    .map((m) => recv((m.kind === 'write-imm' ? 0 : lengthOf(m, mtu)) + spare));
}
