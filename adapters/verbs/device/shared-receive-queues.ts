import type { RecvWr, SrqAttr } from '../../../spec/verbs.ts';
import { attrBytes, decodeSrqAttr, encodeSrqAttr, encodeSrqInit } from '../attributes.ts';
import type { ContextOps, Libibverbs } from '../ffi.ts';
import { encodeRecvWr } from '../layout.ts';
import type { Objects } from './objects.ts';
import { postList } from './posting.ts';
import { destroyed, done, made } from './results.ts';

/** Shared receive queues of a device. Calls throw VerbsError. */
export class SharedReceiveQueues {
  readonly #lib: Libibverbs;
  readonly #ops: ContextOps;
  readonly #objects: Objects;
  readonly #takeEvents: () => void;

  /** `takeEvents` acknowledges those that wait. */
  constructor(lib: Libibverbs, ops: ContextOps, objects: Objects, takeEvents: () => void) {
    this.#lib = lib;
    this.#ops = ops;
    this.#objects = objects;
    this.#takeEvents = takeEvents;
  }

  create(args: { pd: number; max_wr: number; max_sge: number; srq_limit?: number }): number {
    const call = 'ibv_create_srq';
    const { pds, srqs } = this.#objects;
    const pointer = made(call, this.#lib.createSrq(pds.get(call, args.pd), encodeSrqInit(args)));
    const srq = srqs.add(pointer);
    // ibv_create_srq ignores the limit
    if (args.srq_limit !== undefined && args.srq_limit > 0) this.modify(srq, { srq_limit: args.srq_limit });
    return srq;
  }

  modify(srq: number, attr: { max_wr?: number; srq_limit?: number }): void {
    const call = 'ibv_modify_srq';
    const { bytes, mask } = encodeSrqAttr(attr);
    done(call, this.#lib.modifySrq(this.#objects.srqs.get(call, srq), bytes, mask));
  }

  query(srq: number): SrqAttr {
    const call = 'ibv_query_srq';
    const bytes = Buffer.alloc(attrBytes.srq);
    done(call, this.#lib.querySrq(this.#objects.srqs.get(call, srq), bytes));
    return decodeSrqAttr(bytes);
  }

  destroy(srq: number): void {
    this.#takeEvents();
    destroyed('ibv_destroy_srq', this.#objects.srqs, srq, this.#lib.destroySrq);
  }

  post(srq: number, wr: RecvWr, next: readonly RecvWr[] = []): void {
    const call = 'ibv_post_srq_recv';
    const pointer = this.#objects.srqs.get(call, srq);
    postList(call, this.#ops.postSrqRecv, pointer, [encodeRecvWr(wr), ...next.map(encodeRecvWr)]);
  }
}
