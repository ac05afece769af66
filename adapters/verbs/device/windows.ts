import { VerbsError, type AllocatedMw } from '../../adapter.ts';
import type { MwBind, MwType, SendWr } from '../../../spec/verbs.ts';
import type { ContextOps, Libibverbs, Pointer } from '../ffi.ts';
import { encodeMwBind } from '../layout.ts';
import type { Objects } from './objects.ts';
import { bytesAt } from './memory.ts';
import { destroyed, done, made } from './results.ts';

const types: Readonly<Record<MwType, number>> = { IBV_MW_TYPE_1: 1, IBV_MW_TYPE_2: 2 };
const rkeyAt = 16; // of struct ibv_mw
const typeAt = 24;
const einval = 22;

/** The memory windows of a device by libibverbs. Calls throw VerbsError. */
export class MemoryWindows {
  readonly #lib: Libibverbs;
  readonly #ops: ContextOps;
  readonly #objects: Objects;

  constructor(lib: Libibverbs, ops: ContextOps, objects: Objects) {
    this.#lib = lib;
    this.#ops = ops;
    this.#objects = objects;
  }

  allocate(pd: number, type: MwType = 'IBV_MW_TYPE_2'): AllocatedMw {
    const call = 'ibv_alloc_mw';
    const pointer = made(call, this.#ops.allocMw(this.#objects.pds.get(call, pd), types[type]));
    return { mw: this.#objects.mws.add(pointer), rkey: this.#word(pointer, rkeyAt) };
  }

  /** Gives the R_Key that the call puts into the window. libibverbs follows the pointers without a look: EINVAL where there is no such QP, window or region. */
  bind(qp: number, bind: MwBind): number {
    const call = 'ibv_bind_mw';
    const { qps, mws, mrs } = this.#objects;
    const { pointer } = qps.get(call, qp);
    const mw = mws.get(call, bind.mw);
    const request = encodeMwBind(bind, mrs.get(call, bind.mr).pointer);
    // the function of verbs.h asks this, not the one that it calls
    if (this.#word(mw, typeAt) !== types.IBV_MW_TYPE_1) throw new VerbsError(call, einval);
    done(call, this.#ops.bindMw(pointer, mw, request));
    return this.#word(mw, rkeyAt);
  }

  deallocate(mw: number): void {
    destroyed('ibv_dealloc_mw', this.#objects.mws, mw, this.#ops.deallocMw);
  }

  /** Notes the keys that were posted: a provider takes the current one from the object, and leaves it to software to keep that up to date. */
  posted(wrs: readonly SendWr[]): void {
    for (const { bind_mw: binding } of wrs) {
      if (binding === undefined) continue;
      const key = Buffer.alloc(4);
      key.writeUInt32LE(binding.rkey);
      const mw = this.#objects.mws.get('ibv_post_send', binding.mw);
      this.#lib.copyIn(mw + BigInt(rkeyAt), key, 4);
    }
  }

  /** 32 bits of a struct. */
  #word(pointer: Pointer, at: number): number {
    return bytesAt(this.#lib, pointer, at + 4).readUInt32LE(at);
  }
}
