import type { AccessFlag, Sge } from '../../../spec/verbs.ts';
import { copied, zeroed } from '../../../wire/index.ts';
import { guardBytes, type RegisteredMr } from '../../adapter.ts';
import type { MutantId } from '../mutant.ts';

export interface Region extends RegisteredMr {
  pd: number;
  length: number;
  access: readonly AccessFlag[];
  /** with `guardBytes` on either side; allocated when first touched */
  bytes: Uint8Array | undefined;
  /** false after SEND with invalidate */
  valid: boolean;
}

/** A resolved place in memory: `bytes[offset ..]` has room for what was asked. */
export interface Place {
  region: Region;
  bytes: Uint8Array;
  offset: number;
}

/** Faults of the protection checks, for mutants. */
export interface Lenience {
  extraBytes?: number;
  anyAccess?: boolean;
  anyPd?: boolean;
}

const pageBytes = 4096n;

/** The registered memory of one device, with its keys. Keys are never used twice. */
export class Memory {
  readonly #fault: MutantId | undefined;
  #next = 1;
  #address = 0x10_0000_0000n;
  readonly #byHandle = new Map<number, Region>();
  readonly #byLkey = new Map<number, Region>();
  readonly #byRkey = new Map<number, Region>();

  constructor(fault?: MutantId) {
    this.#fault = fault;
  }

  register(pd: number, length: number, access: readonly AccessFlag[]): Region {
    const mr = this.#next++;
    const addr = this.#address;
    // A page between the regions stays unmapped, so that an overrun never lands in the neighbour.
    this.#address += ((BigInt(length) + pageBytes - 1n) / pageBytes + 1n) * pageBytes;
    const lkey = 0x1000 + mr * 0x100 + 0x11;
    const rkey = 0x1000 + mr * 0x100 + 0x72;
    const region: Region = { mr, addr, lkey, rkey, pd, length, access, bytes: undefined, valid: true };
    this.#byHandle.set(mr, region);
    this.#byLkey.set(lkey, region);
    this.#byRkey.set(rkey, region);
    return region;
  }

  deregister(mr: number): boolean {
    const region = this.#byHandle.get(mr);
    if (region === undefined) return false;
    this.#byHandle.delete(mr);
    this.#byRkey.delete(region.rkey);
    if (this.#fault === 'local-freed-key-used') return true;
    region.valid = false;
    this.#byLkey.delete(region.lkey);
    return true;
  }

  byHandle(mr: number): Region | undefined {
    return this.#byHandle.get(mr);
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
    return [...this.#byHandle.values()].some((r) => r.pd === pd);
  }

  /** The place that a request of the peer names, or `undefined` if it may not touch it. */
  remote(
    rkey: number,
    va: bigint,
    length: number,
    pd: number,
    right: AccessFlag,
    lenience: Lenience = {},
  ): Place | undefined {
    const region = this.#byRkey.get(rkey);
    if (region === undefined || !region.valid) return undefined;
    if (region.pd !== pd && lenience.anyPd !== true) return undefined;
    if (!region.access.includes(right) && lenience.anyAccess !== true) return undefined;
    return within(region, va, length, lenience.extraBytes ?? 0);
  }

  /** The place that a scatter/gather element names, from `skip` bytes into it. */
  local(sge: Sge, skip: number, length: number, pd: number, write: boolean): Place | undefined {
    const fault = this.#fault;
    const byAddress = fault === 'local-key-unchecked' ? this.#around(sge.addr, sge.length) : undefined;
    const region = this.#byLkey.get(sge.lkey) ?? byAddress;
    if (region === undefined || !region.valid) return undefined;
    if (region.pd !== pd && fault !== 'local-pd-unchecked') return undefined;
    if (write && !region.access.includes('IBV_ACCESS_LOCAL_WRITE') && fault !== 'local-right-unchecked')
      return undefined;
    // The whole element has to lie in the region, not only the part in use.
    if (within(region, sge.addr, sge.length, 0) === undefined)
      return fault === 'local-bounds-unchecked' ? { region, bytes: zeroed(length), offset: 0 } : undefined;
    return within(region, sge.addr + BigInt(skip), length, 0);
  }

  /** Takes away the region of an R_Key from remote and local use; false if no such key is known on the PD. */
  invalidate(rkey: number, pd: number): boolean {
    const region = this.#byRkey.get(rkey);
    if (region === undefined || region.pd !== pd || !region.valid) return false;
    region.valid = false;
    return true;
  }

  /** Copies `data` into a scatter list, from `position` bytes into it. False on a protection error; nothing is written then. */
  scatter(list: readonly Sge[], position: number, data: Uint8Array, pd: number): boolean {
    const places = this.#places(list, position, data.length, pd, true);
    if (places === undefined) return false;
    let at = 0;
    for (const { place, length } of places) {
      place.bytes.set(data.subarray(at, at + length), place.offset);
      at += length;
      if (this.#fault === 'receive-overruns-region')
        overrun(place.region, place.bytes, place.offset + length);
      if (this.#fault === 'receive-underruns-region' && place.offset === guardBytes)
        place.bytes[guardBytes - 1] = 0xee;
    }
    return true;
  }

  /** `length` bytes of a gather list from `position` on, or `undefined` on a protection error. */
  gather(list: readonly Sge[], position: number, length: number, pd: number): Uint8Array | undefined {
    const places = this.#places(list, position, length, pd, false);
    if (places === undefined) return undefined;
    const out = zeroed(length);
    let at = 0;
    for (const { place, length: n } of places) {
      out.set(place.bytes.subarray(place.offset, place.offset + n), at);
      at += n;
    }
    return out;
  }

  /** `length` bytes of a gather list as the software that posts them has them: no keys are looked at. */
  inline(list: readonly Sge[], length: number): Uint8Array {
    const out = zeroed(length);
    let at = 0;
    for (const { addr, length: n } of list) {
      const region = this.#around(addr, n);
      const from = region === undefined ? 0 : guardBytes + Number(addr - region.addr);
      if (region?.bytes !== undefined) out.set(region.bytes.subarray(from, from + n), at);
      at += n;
    }
    return out;
  }

  #around(addr: bigint, length: number): Region | undefined {
    for (const region of this.#byHandle.values())
      if (addr >= region.addr && addr + BigInt(length) <= region.addr + BigInt(region.length)) return region;
    return undefined;
  }

  /** Whether `length` bytes of a list may be read, or written. */
  usable(list: readonly Sge[], length: number, pd: number, write: boolean): boolean {
    return this.#places(list, 0, length, pd, write) !== undefined;
  }

  #places(
    list: readonly Sge[],
    position: number,
    length: number,
    pd: number,
    write: boolean,
  ): { place: Place; length: number }[] | undefined {
    const places: { place: Place; length: number }[] = [];
    let skip = position;
    let left = length;
    for (const sge of list) {
      if (left === 0) break;
      if (skip >= sge.length) {
        skip -= sge.length;
        continue;
      }
      const n = Math.min(left, sge.length - skip);
      const place = this.local(sge, skip, n, pd, write);
      if (place === undefined) return undefined;
      places.push({ place, length: n });
      left -= n;
      skip = 0;
    }
    return left === 0 ? places : undefined;
  }
}

/** The fault of writing one byte more than fits, where `behind` is the end of a region. */
export function overrun(region: Region, bytes: Uint8Array, behind: number): void {
  if (behind === guardBytes + region.length) bytes[behind] = 0xee;
}

function within(region: Region, va: bigint, length: number, extra: number): Place | undefined {
  const offset = va - region.addr;
  if (offset < 0n || offset + BigInt(length) > BigInt(region.length + extra)) return undefined;
  return { region, bytes: touch(region), offset: guardBytes + Number(offset) };
}

function touch(region: Region): Uint8Array {
  return (region.bytes ??= zeroed(region.length + 2 * guardBytes));
}

/** Bytes of a scatter/gather list. */
export function sgeBytes(list: readonly Sge[]): number {
  let n = 0;
  for (const sge of list) n += sge.length;
  return n;
}
