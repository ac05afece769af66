import type { SeenRequest } from './seen-request.ts';

/** Numbers that a request takes: 48 bytes, where an object takes some 300. */
export const wordsOf = 12;
/** Places of them. The first two are the time at which it was seen last, 64 bits. */
export const psnOpcodeAt = 2;
export const lengthPkeyAt = 3;
export const flagsSightsAt = 4;
export const ipIdBeforeAt = 5;
export const messagePsnAt = 6;
export const messageBytesAt = 7;
export const immediateAt = 8;
export const rkeyAt = 9;
export const vaAt = 10;

/** Bits of the flags beside the pad count, which takes the lowest two. */
export const flag = {
  solicited: 0x4,
  migReq: 0x8,
  disputed: 0x10,
  message: 0x20,
  messageBytes: 0x40,
  ipId: 0x80,
  immediate: 0x100,
  invalidates: 0x200,
  reth: 0x400,
  /** it has more, which is kept beside the numbers */
  more: 0x800,
  /** it is forgotten but as a READ */
  hidden: 0x1000,
} as const;

/** What few requests have. */
export interface More {
  readonly atomicEth: SeenRequest['atomicEth'];
  /** where it announces other bytes than its message has */
  readonly reth: SeenRequest['reth'];
  original: bigint | undefined;
}

/** Where the numbers are, and what few requests have beside, by PSN. */
export interface RowStore {
  readonly words: Int32Array;
  readonly times: Float64Array;
  readonly more: Map<number, More>;
}

const address = new BigUint64Array(1);
const halves = new Int32Array(address.buffer);

/** The halves of a 64-bit number, the lower one first. */
export function split(number: bigint): Int32Array {
  address[0] = number;
  return halves;
}

/** The number that has these halves. */
export function joined(low: number, high: number): bigint {
  halves[0] = low;
  halves[1] = high;
  return address[0] ?? 0n;
}
