import type { AccessFlag, Sge } from '../../spec/verbs.ts';

/** What requests did to a byte, for the table rc-responder-memory; `undefined`: its content is not decided by any rule. */
export type ByteClass = 'unnamed' | 'written' | 'refused' | 'repeated' | 'undefined';
const classes: readonly ByteClass[] = ['unnamed', 'written', 'refused', 'repeated', 'undefined'];
const classNumber = new Map(classes.map((name, i) => [name, i]));

/** A memory region of the device with what the oracle knows of its content. */
export interface Region {
  mr: number;
  pd: number;
  addr: bigint;
  length: number;
  lkey: number;
  rkey: number;
  access: readonly AccessFlag[];
  alive: boolean;
  content: Uint8Array;
  byteClass: Uint8Array;
}

/** One thing done to memory since the last checkpoint: newest first, shared between the states that it happened in. */
export interface MemoryNode {
  region: Region;
  offset: number;
  length: number;
  /** `undefined`: the content stays, only the class of the bytes changes */
  bytes: Uint8Array | undefined;
  byteClass: ByteClass;
  previous: MemoryNode | undefined;
}

/** The regions of a device, and lookups by key. */
export class Memory {
  readonly regions = new Map<number, Region>();
  readonly #byRkey = new Map<number, Region>();
  readonly #byLkey = new Map<number, Region>();

  register(region: Omit<Region, 'alive' | 'content' | 'byteClass'>): void {
    const entry: Region = {
      ...region,
      alive: true,
      content: new Uint8Array(region.length),
      byteClass: new Uint8Array(region.length),
    };
    this.regions.set(region.mr, entry);
    this.#byRkey.set(region.rkey, entry);
    this.#byLkey.set(region.lkey, entry);
  }

  /** Region of an R_Key, registered now or before; `alive` tells. */
  byRkey(rkey: number): Region | undefined {
    return this.#byRkey.get(rkey);
  }

  byLkey(lkey: number): Region | undefined {
    return this.#byLkey.get(lkey);
  }
}

/** Whether `length` bytes from `va` lie in the region; `offset` is that of `va` (meaningless if not inside). */
export function inside(region: Region, va: bigint, length: number): boolean {
  const offset = va - region.addr;
  return offset >= 0n && offset + BigInt(length) <= BigInt(region.length);
}

export function offsetIn(region: Region, va: bigint): number {
  return Number(va - region.addr);
}

/** Content of a range under the changes in `head`; `known[i]` is 0 where no rule decides the byte. */
export function readMemory(
  head: MemoryNode | undefined,
  region: Region,
  offset: number,
  length: number,
): { bytes: Uint8Array; classes: ByteClass[] } {
  const bytes = region.content.slice(offset, offset + length);
  const found: ByteClass[] = Array.from(region.byteClass.subarray(offset, offset + length), nameOfClass);
  const chain: MemoryNode[] = [];
  for (let node = head; node !== undefined; node = node.previous)
    if (node.region === region) chain.push(node);
  for (const node of chain.toReversed()) {
    const from = Math.max(node.offset, offset);
    const to = Math.min(node.offset + node.length, offset + length);
    for (let at = from; at < to; at++) {
      const was = found[at - offset];
      if (node.bytes !== undefined) bytes[at - offset] = node.bytes[at - node.offset] ?? 0;
      // an undecided byte stays undecided until something writes it
      if (node.byteClass === 'written' || node.byteClass === 'undefined' || was !== 'undefined')
        found[at - offset] = node.byteClass;
    }
  }
  return { bytes, classes: found };
}

function nameOfClass(value: number): ByteClass {
  return classes[value] ?? 'unnamed';
}

/** Folds the changes into the regions themselves; only when no other state still needs what was there before. */
export function commitMemory(head: MemoryNode | undefined): void {
  const chain: MemoryNode[] = [];
  for (let node = head; node !== undefined; node = node.previous) chain.push(node);
  for (const node of chain.toReversed()) {
    const { region, offset, length } = node;
    if (node.bytes !== undefined) region.content.set(node.bytes, offset);
    const value = classNumber.get(node.byteClass) ?? 0;
    const keep = classNumber.get('undefined') ?? -1;
    const overwrites = node.byteClass === 'written' || node.byteClass === 'undefined';
    for (let at = offset; at < offset + length; at++)
      if (overwrites || region.byteClass[at] !== keep) region.byteClass[at] = value;
  }
}

/** Ranges of the scatter list that hold bytes `from .. from+length` of a message. */
export function scatter(
  memory: Memory,
  list: readonly Sge[],
  from: number,
  length: number,
): { region: Region | undefined; offset: number; length: number; sge: Sge }[] {
  const ranges: { region: Region | undefined; offset: number; length: number; sge: Sge }[] = [];
  let start = 0;
  for (const sge of list) {
    const begin = Math.max(from, start);
    const end = Math.min(from + length, start + sge.length);
    if (begin < end) {
      const region = memory.byLkey(sge.lkey);
      const offset = region === undefined ? 0 : offsetIn(region, sge.addr) + begin - start;
      ranges.push({ region, offset, length: end - begin, sge });
    }
    start += sge.length;
  }
  return ranges;
}
