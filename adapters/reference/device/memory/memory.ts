import type { AccessFlag } from '../../../../spec/verbs.ts';
import { copied, zeroed } from '../../../../wire/index.ts';
import { guardBytes } from '../../../adapter.ts';
import type { VariantId } from '../../variant.ts';
import { seam, type Varied } from '../../seam.ts';
import type { Place, Region } from './region.ts';
import { Windows } from './windows.ts';

export type { Place, Region } from './region.ts';

const pageBytes = 4096n;

/** Where regions lie and what opens them, for a bench that needs to know beforehand. */
export interface MemoryPlace {
  firstAddress?: bigint;
  firstKey?: number;
}

/** The registered memory of one device, with its keys. Keys are never used twice. */
export class Memory implements Varied {
  readonly variant: VariantId | undefined;
  readonly windows = new Windows();
  readonly #firstKey: number | undefined;
  #next = 1;
  #address: bigint;
  readonly #byHandle = new Map<number, Region>();
  readonly #byLkey = new Map<number, Region>();
  readonly #byRkey = new Map<number, Region>();

  /** `firstAddress`: of the first region. `firstKey`: both keys of it; those of each further one are higher by 0x100. */
  constructor(variant?: VariantId, { firstAddress = 0x10_0000_0000n, firstKey }: MemoryPlace = {}) {
    this.variant = variant;
    this.#address = firstAddress;
    this.#firstKey = firstKey;
  }

  /** `iova`: where it lies; absent: where there is room */
  register(pd: number, length: number, access: readonly AccessFlag[], iova?: bigint): Region {
    const mr = this.#next++;
    const addr = iova ?? this.place(length);
    const made = { bytes: undefined, valid: true, changes: 0 };
    const region: Region = { mr, addr, ...this.#keys(mr), pd, length, access, ...made };
    this.#byHandle.set(mr, region);
    this.#opens(region);
    return region;
  }

  #keys(number: number): { lkey: number; rkey: number } {
    const key = this.#firstKey === undefined ? undefined : this.#firstKey + (number - 1) * 0x100;
    return { lkey: key ?? 0x1000 + number * 0x100 + 0x11, rkey: key ?? 0x1000 + number * 0x100 + 0x72 };
  }

  #opens(region: Region): void {
    this.#byLkey.set(region.lkey, region);
    this.#byRkey.set(region.rkey, region);
  }

  /** Takes room for `length` bytes. A page between the regions stays unmapped, so that an overrun never lands in the neighbour. */
  place(length: number): bigint {
    const addr = this.#address;
    this.#address += ((BigInt(length) + pageBytes - 1n) / pageBytes + 1n) * pageBytes;
    return addr;
  }

  /** Gives a region keys that none has had; those of before open nothing. */
  renewKeys(region: Region): void {
    this.#byLkey.delete(region.lkey);
    this.#byRkey.delete(region.rkey);
    Object.assign(region, this.#keys(this.#next++));
    this.#opens(region);
  }

  /** Lets the keys of a region open it, whether it has a handle or not. */
  keepOpen(region: Region): void {
    this.#opens(region);
  }

  deregister(mr: number): boolean {
    const region = this.#byHandle.get(mr);
    if (region === undefined) return false;
    this.#byHandle.delete(mr);
    this.#byRkey.delete(region.rkey);
    if (!dropsLocalKey(this)) return true;
    region.valid = false;
    this.#byLkey.delete(region.lkey);
    return true;
  }

  byHandle(mr: number): Region | undefined {
    return this.#byHandle.get(mr);
  }

  byLkey(lkey: number): Region | undefined {
    return this.#byLkey.get(lkey);
  }

  byRkey(rkey: number): Region | undefined {
    return this.#byRkey.get(rkey);
  }

  /** The region in which these bytes lie, whatever its keys are. */
  around(addr: bigint, length: number): Region | undefined {
    for (const region of this.#byHandle.values())
      if (addr >= region.addr && addr + BigInt(length) <= region.addr + BigInt(region.length)) return region;
    return undefined;
  }

  /** A copy of `length` bytes from `offset` on, guards included; `undefined` where they are not all the region's. */
  read(region: Region, offset: number, length: number): Uint8Array | undefined {
    if (offset < -guardBytes || length < 0 || offset + length > region.length + guardBytes) return undefined;
    const from = guardBytes + offset;
    return region.bytes === undefined ? zeroed(length) : copied(region.bytes.subarray(from, from + length));
  }

  /** Puts bytes into a region; false where they would lie outside. */
  write(region: Region, offset: number, bytes: Uint8Array): boolean {
    if (offset < 0 || offset + bytes.length > region.length) return false;
    touch(region).set(bytes, guardBytes + offset);
    return true;
  }

  usesPd(pd: number): boolean {
    return [...this.#byHandle.values()].some((r) => r.pd === pd) || this.windows.usesPd(pd);
  }

  /**
   * Takes away the region of an R_Key from remote and local use, or what a window opens that is bound by this QP; false if no such
   * key is known on the PD.
   */
  invalidate(rkey: number, { pd, num }: { pd: number; num: number }): boolean {
    if (this.windows.byRkey(rkey) !== undefined) return this.windows.invalidate(rkey, num);
    const region = this.#byRkey.get(rkey);
    if (region === undefined || region.pd !== pd || !region.valid) return false;
    region.valid = false;
    return true;
  }
}

/** Whether deregistration ends local use as well. */
export const dropsLocalKey = seam((_memory: Varied): boolean => true);

/** `length` bytes from an address on, as far as the region has them; `extra`: bytes behind it that count as its own. */
export function within(region: Region, va: bigint, length: number, extra = 0): Place | undefined {
  const offset = va - region.addr;
  if (offset < 0n || offset + BigInt(length) > BigInt(region.length + extra)) return undefined;
  return { region, bytes: touch(region), offset: guardBytes + Number(offset) };
}

function touch(region: Region): Uint8Array {
  return (region.bytes ??= zeroed(region.length + 2 * guardBytes));
}
