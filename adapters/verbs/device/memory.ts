import { guardBytes, VerbsError } from '../../adapter.ts';
import { errno } from '../ffi.ts';
import type { Libibverbs, Pointer } from '../ffi.ts';

export const pageBytes = 4096;

/** Memory of one region: `addr` is where it begins, with a page of nobody's in front of it and one behind it. */
export interface Memory {
  readonly addr: Pointer;
  readonly length: number;
  /** where the mapping begins, a page of nobody's */
  readonly base: Pointer;
  /** bytes of the mapping */
  readonly mapped: number;
}

/**
 * Maps zeroed memory with a guard page on either side; it begins `inPage` bytes within a page. VerbsError `mmap` where there is none to be
 * had.
 */
export function mapMemory(lib: Libibverbs, length: number, inPage = 0): Memory {
  const mapped = (Math.max(1, Math.ceil((inPage + length) / pageBytes)) + 2) * pageBytes;
  // MAP_SHARED | MAP_ANONYMOUS: a fixed, zeroed address that no garbage collector moves
  const base = lib.mmap(null, mapped, 3, 0x21, -1, 0);
  if (BigInt.asIntN(64, base) === -1n) throw new VerbsError('mmap', errno());
  return { addr: base + BigInt(pageBytes + inPage), length, base, mapped };
}

export function unmapMemory(lib: Libibverbs, memory: Memory): void {
  lib.munmap(memory.base, memory.mapped);
}

/**
 * Address of `length` bytes from `offset` of a region, which must lie within it and `margin` bytes on either side.
 * VerbsError (EINVAL) for anything else.
 */
function within(call: string, memory: Memory, offset: number, length: number, margin: number): Pointer {
  if (offset < -margin || length < 0 || offset + length > memory.length + margin)
    throw new VerbsError(call, 22);
  return memory.addr + BigInt(offset);
}

/** Bytes of a region; its guard bytes have offsets below 0 and from its length on. */
export function readMemory(lib: Libibverbs, memory: Memory, offset: number, length: number): Buffer {
  const at = within('read_memory', memory, offset, length, guardBytes);
  return bytesAt(lib, at, length);
}

export function writeMemory(lib: Libibverbs, memory: Memory, offset: number, bytes: Buffer): void {
  const at = within('write_memory', memory, offset, bytes.length, 0);
  if (bytes.length > 0) lib.copyIn(at, bytes, bytes.length);
}

/** A copy of C memory. */
export function bytesAt(lib: Libibverbs, at: Pointer, length: number): Buffer {
  const out = Buffer.alloc(length);
  if (length > 0) lib.copyOut(out, at, length);
  return out;
}

/**
 * Memory of deregistered regions, which goes with its PD: work requests may still name it, and libibverbs itself reads inline data, and would
 * crash where nothing is mapped any more.
 */
export class RetiredMemory {
  readonly #lib: Libibverbs;
  readonly #byPd = new Map<number, Memory[]>();

  constructor(lib: Libibverbs) {
    this.#lib = lib;
  }

  add({ memory, pd }: { memory: Memory; pd: number }): void {
    const retired = this.#byPd.get(pd) ?? [];
    retired.push(memory);
    this.#byPd.set(pd, retired);
  }

  free(pd: number): void {
    for (const memory of this.#byPd.get(pd) ?? []) unmapMemory(this.#lib, memory);
    this.#byPd.delete(pd);
  }
}
