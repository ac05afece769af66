import { VerbsError, type MrChange, type RegisteredMr } from '../../adapter.ts';
import type { AccessFlag } from '../../../spec/verbs.ts';
import { errno } from '../ffi.ts';
import type { Libibverbs, Pointer } from '../ffi.ts';
import { accessBits } from '../layout.ts';
import type { Mr, Objects } from './objects.ts';
import {
  bytesAt,
  mapMemory,
  pageBytes,
  readMemory,
  RetiredMemory,
  unmapMemory,
  writeMemory,
} from './memory.ts';
import type { Memory } from './memory.ts';
import { done } from './results.ts';

/** enum ibv_rereg_mr_flags */
const changes = { translation: 1, pd: 2, access: 4 } as const;
/** enum ibv_rereg_mr_err_code */
const inputError = -1;
const newNotForked = -2;
const oldForked = -3;

/** Keys in `struct ibv_mr`. */
function keysOf(lib: Libibverbs, mr: Pointer): { lkey: number; rkey: number } {
  const bytes = bytesAt(lib, mr, 48);
  return { lkey: bytes.readUInt32LE(36), rkey: bytes.readUInt32LE(40) };
}

/** Registers memory of its own, at an address of the caller's choice or at its own. VerbsError where it is refused. */
function register(
  lib: Libibverbs,
  pd: Pointer,
  { length, access, iova }: { length: number; access: AccessFlag[]; iova?: bigint },
): Omit<Mr, 'pd'> {
  // a device maps whole pages, so that both addresses lie at one place in theirs
  const memory = mapMemory(lib, length, Number((iova ?? 0n) % BigInt(pageBytes)));
  const bits = accessBits(access);
  const pointer =
    iova === undefined
      ? lib.regMr(pd, memory.addr, length, bits)
      : lib.regMrIova(pd, memory.addr, length, iova, bits);
  if (pointer !== null) return { pointer, memory, addr: iova ?? memory.addr };
  const reason = errno();
  unmapMemory(lib, memory);
  throw new VerbsError('ibv_reg_mr', reason);
}

/** Changes a region; gives the memory that it has moved to, if it has. VerbsError where it is refused. */
function reregister(
  lib: Libibverbs,
  { pointer }: Mr,
  pd: Pointer | undefined,
  { access, length }: MrChange,
): Memory | undefined {
  const memory = length === undefined ? undefined : mapMemory(lib, length);
  const flags =
    (memory === undefined ? 0 : changes.translation) |
    (pd === undefined ? 0 : changes.pd) |
    (access === undefined ? 0 : changes.access);
  const result = lib.reregMr(
    pointer,
    flags,
    pd ?? 0n,
    memory?.addr ?? 0n,
    length ?? 0,
    accessBits(access ?? []),
  );
  if (result === 0 || result === oldForked) return memory;
  const reason = errno();
  // where the region is not to be used, the device may have either memory
  const kept = result === inputError || result === newNotForked;
  if (kept && memory !== undefined) unmapMemory(lib, memory);
  throw new VerbsError('ibv_rereg_mr', reason, undefined, kept);
}

/** Memory regions of a device, each with memory of its own. Calls throw VerbsError. */
export class MemoryRegions {
  readonly #lib: Libibverbs;
  readonly #objects: Objects;
  readonly #retired: RetiredMemory;

  constructor(lib: Libibverbs, objects: Objects) {
    this.#lib = lib;
    this.#objects = objects;
    this.#retired = new RetiredMemory(lib);
  }

  register(args: { pd: number; length: number; access: AccessFlag[]; iova?: bigint }): RegisteredMr {
    const region = register(this.#lib, this.#objects.pds.get('ibv_reg_mr', args.pd), args);
    const mr = this.#objects.mrs.add({ ...region, pd: args.pd });
    return { mr, addr: region.addr, ...keysOf(this.#lib, region.pointer) };
  }

  change(mr: number, change: MrChange): Omit<RegisteredMr, 'mr'> {
    const call = 'ibv_rereg_mr';
    const region = this.#objects.mrs.get(call, mr);
    const pd = change.pd === undefined ? undefined : this.#objects.pds.get(call, change.pd);
    const moved = reregister(this.#lib, region, pd, change);
    if (moved !== undefined) {
      this.#retired.add(region);
      region.memory = moved;
      region.addr = moved.addr;
    }
    region.pd = change.pd ?? region.pd;
    return { addr: region.addr, ...keysOf(this.#lib, region.pointer) };
  }

  deregister(mr: number): void {
    const call = 'ibv_dereg_mr';
    const region = this.#objects.mrs.get(call, mr);
    done(call, this.#lib.deregMr(region.pointer));
    this.#objects.mrs.delete(mr);
    this.#retired.add(region);
  }

  read(mr: number, offset: number, length: number): Buffer {
    return readMemory(this.#lib, this.#objects.mrs.get('read_memory', mr).memory, offset, length);
  }

  write(mr: number, offset: number, bytes: Buffer): void {
    writeMemory(this.#lib, this.#objects.mrs.get('write_memory', mr).memory, offset, bytes);
  }

  /** Gives back the memory that regions of a PD have had. */
  free(pd: number): void {
    this.#retired.free(pd);
  }
}
