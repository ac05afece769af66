import { VerbsError, type AllocatedMw } from '../adapter.ts';
import type { MwBind, MwType, SendWr } from '../../spec/verbs.ts';
import { errno, type ContextOps, type Libibverbs, type Pointer } from './ffi.ts';
import { encodeMwBind } from './layout.ts';
import { bytesAt } from './memory.ts';
import { reasonOf } from './posting.ts';

const types: Readonly<Record<MwType, number>> = { IBV_MW_TYPE_1: 1, IBV_MW_TYPE_2: 2 };
const rkeyAt = 16; // of struct ibv_mw
const typeAt = 24;
const einval = 22;

/** The memory windows of a device by libibverbs. */
export class MemoryWindows {
  readonly #lib: Libibverbs;
  readonly #ops: ContextOps;
  readonly #all = new Map<number, Pointer>();

  constructor(lib: Libibverbs, ops: ContextOps) {
    this.#lib = lib;
    this.#ops = ops;
  }

  /** `mw`: its handle from now on. VerbsError where the device has none. */
  allocate(mw: number, pd: Pointer, type: MwType): AllocatedMw {
    const pointer = this.#ops.allocMw(pd, types[type]);
    if (pointer === null) throw new VerbsError('ibv_alloc_mw', errno());
    this.#all.set(mw, pointer);
    return { mw, rkey: this.#word(pointer, rkeyAt) };
  }

  /** Gives the R_Key that the call puts into the window. VerbsError where there is none, or the device refuses. */
  bind(qp: Pointer, bind: MwBind, mr: Pointer): number {
    const call = 'ibv_bind_mw';
    const pointer = this.pointer(call, bind.mw);
    // the function of verbs.h asks this, not the one that it calls
    if (this.#word(pointer, typeAt) !== types.IBV_MW_TYPE_1) throw new VerbsError(call, einval);
    const result = this.#ops.bindMw(qp, pointer, encodeMwBind(bind, mr));
    if (result !== 0) throw new VerbsError(call, reasonOf(result));
    return this.#word(pointer, rkeyAt);
  }

  /** 32 bits of a struct. */
  #word(pointer: Pointer, at: number): number {
    return bytesAt(this.#lib, pointer, at + 4).readUInt32LE(at);
  }

  /** VerbsError where there is none, or the device refuses. */
  deallocate(mw: number): void {
    const result = this.#ops.deallocMw(this.pointer('ibv_dealloc_mw', mw));
    if (result !== 0) throw new VerbsError('ibv_dealloc_mw', reasonOf(result));
    this.#all.delete(mw);
  }

  /** VerbsError of the call where there is none. */
  pointer(call: string, mw: number): Pointer {
    const found = this.#all.get(mw);
    if (found === undefined) throw new VerbsError(call, einval);
    return found;
  }

  /** Notes the keys that were posted: a provider takes the current one from the object, and leaves it to software to keep that up to date. */
  posted(wrs: readonly SendWr[]): void {
    for (const { bind_mw: binding } of wrs) {
      if (binding === undefined) continue;
      const key = Buffer.alloc(4);
      key.writeUInt32LE(binding.rkey);
      this.#lib.copyIn(this.pointer('ibv_post_send', binding.mw) + BigInt(rkeyAt), key, 4);
    }
  }

  close(): void {
    for (const mw of this.#all.keys()) this.deallocate(mw);
  }
}
