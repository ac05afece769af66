import type { AccessFlag, Sge } from '../../spec/verbs.ts';
import { copied, zeroed } from '../../wire/index.ts';
import { ByteClasses, mark, nameOfClass, type ByteClass } from './objects/byte-classes.ts';
import { Windows } from './objects/windows.ts';

type RegisterMr = Pick<Region, 'mr' | 'pd' | 'addr' | 'length' | 'lkey' | 'rkey' | 'access'>;

type MrChange = Pick<RegisterMr, 'addr' | 'lkey' | 'rkey'> &
  Partial<Pick<RegisterMr, 'pd' | 'access' | 'length'>>;

/** What a region grants to whom. */
export interface Grant {
  pd: number;
  access: readonly AccessFlag[];
}

/** What it granted until ibv_rereg_mr, at this place in the trace. */
interface FormerGrant extends Grant {
  until: number;
}

/** A memory region of the device with its content as far as it is known. */
export class Region {
  readonly mr: number;
  pd: number;
  readonly addr: bigint;
  readonly length: number;
  lkey: number;
  rkey: number;
  access: readonly AccessFlag[];
  /** ibv_rereg_mr has failed, and what it left is unknown */
  doubtful = false;
  /** its R_Key grants what it is for: not after the region was deregistered, or the key invalidated by a packet */
  alive = true;
  /** software has not deregistered it */
  registered = true;
  /** place in the trace of the call that deregistered or moved it while its R_Key granted something */
  freedAt = -1;
  /** what it granted before calls of ibv_rereg_mr, oldest first */
  former: readonly FormerGrant[] = [];
  readonly byteClasses: ByteClasses;
  /** of the changes since the last checkpoint, those of this region that came first, in one state or another */
  firsts: MemoryNode[] = [];
  #content: Uint8Array | undefined;

  constructor({ mr, pd, addr, length, lkey, rkey, access }: RegisterMr) {
    this.mr = mr;
    this.pd = pd;
    this.addr = addr;
    this.length = length;
    this.byteClasses = new ByteClasses(length);
    this.lkey = lkey;
    this.rkey = rkey;
    this.access = access;
  }

  /** place in the trace of the call that changed last what it grants */
  get changedAt(): number {
    return Math.max(this.freedAt, this.former.at(-1)?.until ?? -1);
  }

  /** Whether the last call of ibv_rereg_mr left what it grants to whom as it was, as far as this right goes. */
  keeps(right: AccessFlag): boolean {
    const before = this.former.at(-1);
    return (
      this.alive && before?.pd === this.pd && before.access.includes(right) === this.access.includes(right)
    );
  }

  // a region may be as large as the longest message, and nobody look into it
  get content(): Uint8Array {
    return (this.#content ??= zeroed(this.length));
  }
}

/** One thing done to memory. */
export interface MemoryChange {
  region: Region;
  offset: number;
  length: number;
  /** `undefined`: the content stays, only the class of the bytes changes */
  bytes: Uint8Array | undefined;
  byteClass: ByteClass;
}

/**
 * What was done to memory since the last checkpoint: newest first, shared between the states that it happened in. States in
 * which the same was done have the same node.
 */
export interface MemoryNode extends MemoryChange {
  previous: MemoryNode | undefined;
  /** number of nodes from the oldest to this one */
  depth: number;
  /** what was done next, in one state or another */
  next: MemoryNode[];
}

/** The regions of a device, and lookups by key. */
export class Memory {
  readonly regions = new Map<number, Region>();
  readonly windows = new Windows<Region>();
  readonly #byRkey = new Map<number, Region>();
  readonly #byLkey = new Map<number, Region>();
  /** every lkey that has named a region */
  readonly #lkeys = new Set<number>();

  register(call: RegisterMr): void {
    this.#opens(new Region(call));
  }

  #opens(region: Region): void {
    this.regions.set(region.mr, region);
    this.#byRkey.set(region.rkey, region);
    this.#byLkey.set(region.lkey, region);
    this.#lkeys.add(region.lkey);
  }

  /**
   * A region is changed, and keeps what it holds; one that moves is another from then on, of zeros. Its former keys name what it was for
   * requests that came before the call, at this place in the trace, and may be looked at behind it. False where they do not, since the keys
   * are others, or name the new place.
   */
  reregister(
    region: Region,
    { pd = region.pd, access = region.access, length, ...place }: MrChange,
    event: number,
  ): boolean {
    const { lkey, rkey } = place;
    const sameKeys = lkey === region.lkey && rkey === region.rkey;
    if (length !== undefined) {
      if (region.alive) region.freedAt = event;
      region.alive = region.registered = false;
      this.#opens(new Region({ mr: region.mr, pd, access, length, ...place }));
      return lkey !== region.lkey && rkey !== region.rkey;
    }
    if (sameKeys) region.former = [...region.former, { pd: region.pd, access: region.access, until: event }];
    else {
      this.#byRkey.delete(region.rkey);
      this.#byLkey.delete(region.lkey);
    }
    this.#opens(Object.assign(region, { pd, access, lkey, rkey }));
    return sameKeys;
  }

  /** Region of an R_Key, registered now or before; `alive` tells. Of the key of a window, the one that it was to be bound to. */
  byRkey(rkey: number): Region | undefined {
    return this.#byRkey.get(rkey) ?? this.windows.byRkey(rkey)?.region;
  }

  /** The region of an R_Key that grants a right to a range of `length` bytes to QPs of a PD; of a window, as far as it is or may be bound. */
  granting(
    rkey: number,
    pd: number,
    right: AccessFlag,
    va: bigint,
    length: number,
    grantOf: (region: Region) => Grant | undefined = presentGrant,
  ): Region | undefined {
    const key = this.windows.byRkey(rkey);
    if (key === undefined) {
      const region = this.#byRkey.get(rkey);
      return grants(region, pd, right, va, length, grantOf) ? region : undefined;
    }
    const { region, access, bound } = key;
    const opens = bound !== 'no' && access.includes(right) && inside(key, va, length);
    return opens && region?.alive === true && region.pd === pd ? region : undefined;
  }

  byLkey(lkey: number): Region | undefined {
    return this.#byLkey.get(lkey);
  }

  /** Whether an lkey names a region, or has named one. */
  everNamed(lkey: number): boolean {
    return this.#lkeys.has(lkey);
  }
}

const firstsKept = 16;
const shortValue = 8;

function sameChange(one: MemoryChange, other: MemoryChange): boolean {
  return (
    one.region === other.region &&
    one.offset === other.offset &&
    one.length === other.length &&
    one.byteClass === other.byteClass &&
    sameBytes(one.bytes, other.bytes)
  );
}

/** Whether the bytes are those of one packet, or one short value. */
function sameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.length !== other.length) return false;
  if (one.buffer === other.buffer && one.byteOffset === other.byteOffset) return true;
  return one.length <= shortValue && Buffer.compare(one, other) === 0;
}

/** Whether `length` bytes from `va` lie in the region; `offset` is that of `va` (meaningless if not inside). */
export function inside(region: Pick<Region, 'addr' | 'length'>, va: bigint, length: number): boolean {
  const offset = va - region.addr;
  return offset >= 0n && offset + BigInt(length) <= BigInt(region.length);
}

/** Bytes of a scatter or gather list. */
export function totalLength(list: readonly Sge[]): number {
  return list.reduce((sum, sge) => sum + sge.length, 0);
}

function presentGrant(region: Region): Grant | undefined {
  return region.alive ? region : undefined;
}

/** Whether a range of `length` bytes lies in a region of a PD that has a right, if one is needed. */
export function grants(
  region: Region | undefined,
  pd: number,
  right: AccessFlag | undefined,
  va: bigint,
  length: number,
  grantOf = presentGrant,
): region is Region {
  if (region === undefined) return false;
  const grant = grantOf(region);
  return (
    grant?.pd === pd && (right === undefined || grant.access.includes(right)) && inside(region, va, length)
  );
}

/** Whether an element of a list may be used on a PD: it lies in a region of it, which allows writing if that is `written`. */
export function usable(region: Region | undefined, pd: number, sge: Sge, written: boolean): boolean {
  return grants(region, pd, written ? 'IBV_ACCESS_LOCAL_WRITE' : undefined, sge.addr, sge.length);
}

export function offsetIn(region: Region, va: bigint): number {
  return Number(va - region.addr);
}

/** Bounds `begin <= offset < end` of the part of a range that lies in the region; `undefined` if none does. */
export function clipped(
  region: Region,
  offset: number,
  length: number,
): { begin: number; end: number } | undefined {
  const begin = Math.max(0, offset);
  const end = Math.min(region.length, offset + length);
  return begin < end ? { begin, end } : undefined;
}

/** Bytes of a range, and what requests did to each. */
export interface MemoryView {
  bytes: Uint8Array;
  classAt(index: number): ByteClass;
}

/** Whether one of these changes is of the region. */
export function names(head: MemoryNode | undefined, region: Region): boolean {
  for (let node = head; node !== undefined; node = node.previous) if (node.region === region) return true;
  return false;
}

/** Content of a range under the changes in `head`. */
export function readMemory(
  head: MemoryNode | undefined,
  region: Region,
  offset: number,
  length: number,
): MemoryView {
  const chain: MemoryNode[] = [];
  for (let node = head; node !== undefined; node = node.previous)
    if (node.region === region && node.offset < offset + length && node.offset + node.length > offset)
      chain.push(node);
  if (chain.length === 0) {
    return {
      bytes: region.content.subarray(offset, offset + length),
      classAt: (index) => region.byteClasses.at(offset + index),
    };
  }
  const bytes = copied(region.content.subarray(offset, offset + length));
  const found = region.byteClasses.copy(offset, length);
  for (const node of chain.toReversed()) {
    const from = Math.max(node.offset, offset);
    const to = Math.min(node.offset + node.length, offset + length);
    if (node.bytes !== undefined)
      bytes.set(node.bytes.subarray(from - node.offset, to - node.offset), from - offset);
    mark(found, from - offset, to - offset, node.byteClass);
  }
  return { bytes, classAt: (index) => nameOfClass(found[index]) };
}

/** First byte of `seen` that differs from the range and that a rule decides; -1 if there is none. */
export function firstDifference(view: MemoryView, seen: Uint8Array): number {
  if (Buffer.compare(view.bytes, seen) === 0) return -1;
  return seen.findIndex((byte, i) => byte !== view.bytes[i] && view.classAt(i) !== 'undefined');
}

/** Classes that occur in the range, `undefined` left out. */
export function classesIn(region: Region, head: MemoryNode | undefined): Set<ByteClass> {
  const found = new Set(region.byteClasses.present());
  for (let node = head; node !== undefined; node = node.previous)
    if (node.region === region && node.byteClass !== 'undefined') found.add(node.byteClass);
  return found;
}

/** The chain of changes with one more in front. */
export function changed(previous: MemoryNode | undefined, change: MemoryChange): MemoryNode {
  // a long list may name the same bytes over and over
  if (previous !== undefined && change.bytes === undefined && sameChange(previous, change)) return previous;
  const siblings = previous?.next ?? change.region.firsts;
  const known = siblings.find((node) => sameChange(node, change));
  if (known !== undefined) return known;
  const node = { ...change, previous, depth: (previous?.depth ?? 0) + 1, next: [] };
  if (previous === undefined && siblings.length >= firstsKept) siblings.length = 0;
  siblings.push(node);
  return node;
}

/** Folds the changes into the regions themselves; only when no other state still needs what was there before. */
export function commitMemory(head: MemoryNode | undefined): void {
  const chain: MemoryNode[] = [];
  for (let node = head; node !== undefined; node = node.previous) chain.push(node);
  for (const { region, offset, length, bytes, byteClass } of chain.toReversed()) {
    if (bytes !== undefined) region.content.set(bytes, offset);
    region.byteClasses.mark(offset, offset + length, byteClass);
    region.firsts = [];
  }
}

// Every look at memory walks along what is not folded in.
const longChain = 64;

/** Whether so much has been done to memory that it is better folded into the regions as soon as it may be. */
export function isLong(head: MemoryNode | undefined): boolean {
  return head !== undefined && head.depth >= longChain;
}

/** A range of an element of a scatter list, by its place in the region. */
export interface ScatterPart {
  region: Region | undefined;
  offset: number;
  length: number;
  sge: Sge;
}

/** Ranges of the scatter list that hold bytes `from .. from+length` of a message. */
export function scatter(memory: Memory, list: readonly Sge[], from: number, length: number): ScatterPart[] {
  const ranges: ScatterPart[] = [];
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
