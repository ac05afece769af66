import { VerbsError, type MrChange } from '../adapter.ts';
import type { AccessFlag } from '../../spec/verbs.ts';
import { errno } from './ffi.ts';
import type { Libibverbs, Pointer } from './ffi.ts';
import { accessBits } from './layout.ts';
import { bytesAt, mapMemory, unmapMemory } from './memory.ts';
import type { Memory } from './memory.ts';

/** A memory region of libibverbs. */
export interface Mr {
  readonly pointer: Pointer;
  memory: Memory;
  /** by which work requests and packets name it */
  addr: bigint;
  pd: number;
}

/** enum ibv_rereg_mr_flags */
const changes = { translation: 1, pd: 2, access: 4 } as const;
/** enum ibv_rereg_mr_err_code */
const inputError = -1;
const newNotForked = -2;
const oldForked = -3;

/** Keys in `struct ibv_mr`. */
export function keysOf(lib: Libibverbs, mr: Pointer): { lkey: number; rkey: number } {
  const bytes = bytesAt(lib, mr, 48);
  return { lkey: bytes.readUInt32LE(36), rkey: bytes.readUInt32LE(40) };
}

/** Registers memory of its own, at an address of the caller's choice or at its own. VerbsError where it is refused. */
export function register(
  lib: Libibverbs,
  pd: Pointer,
  { length, access, iova }: { length: number; access: AccessFlag[]; iova?: bigint },
): Omit<Mr, 'pd'> {
  const memory = mapMemory(lib, length);
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
export function reregister(
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
