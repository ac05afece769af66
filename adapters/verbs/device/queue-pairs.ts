import type { Verbs } from '../../adapter.ts';
import type { QpAttr, QpCap, QpType, RecvWr, SendWr } from '../../../spec/verbs.ts';
import type { ContextOps, Libibverbs } from '../ffi.ts';
import {
  decodeQpAttr,
  encodeQpAttr,
  encodeQpInit,
  encodeRecvWr,
  encodeSendWr,
  sizes,
  type NamedObjects,
} from '../layout.ts';
import { qpNumAt } from './events.ts';
import type { Objects } from './objects.ts';
import { postList } from './posting.ts';
import { done, made } from './results.ts';
import { roomOf } from './room.ts';
import type { MemoryWindows } from './windows.ts';

const allAttributes = 0x1fffff;

interface Surroundings {
  readonly windows: MemoryWindows;
  /** acknowledges the asynchronous events that wait */
  takeEvents(): void;
}

/** Queue pairs of a device. Calls throw VerbsError. */
export class QueuePairs {
  readonly #lib: Libibverbs;
  readonly #ops: ContextOps;
  readonly #objects: Objects;
  readonly #around: Surroundings;
  /** by their numbers, destroyed ones too: their completions may still be in a CQ */
  readonly #types = new Map<number, QpType>();

  constructor(lib: Libibverbs, ops: ContextOps, objects: Objects, around: Surroundings) {
    this.#lib = lib;
    this.#ops = ops;
    this.#objects = objects;
    this.#around = around;
  }

  create(args: Parameters<Verbs['create_qp']>[0]): { qp: number; qp_num: number; cap: QpCap } {
    const call = 'ibv_create_qp';
    const { cqs, srqs, pds, qps } = this.#objects;
    const init = encodeQpInit({
      send_cq: cqs.get(call, args.send_cq),
      recv_cq: cqs.get(call, args.recv_cq),
      srq: args.srq === undefined ? 0n : srqs.get(call, args.srq),
      cap: args.cap,
      qp_type: args.qp_type,
      sq_sig_all: args.sq_sig_all ?? false,
    });
    const pointer = made(call, this.#lib.createQp(pds.get(call, args.pd), init));
    const qp_num = qpNumAt(this.#lib, pointer);
    this.#types.set(qp_num, args.qp_type);
    const qp = qps.add({ pointer, type: args.qp_type });
    return { qp, qp_num, cap: roomOf(this.#lib, pointer, init) };
  }

  /** `undefined` where no QP has had that number. */
  typeOf(qpNum: number): QpType | undefined {
    return this.#types.get(qpNum);
  }

  modify(qp: number, attr: QpAttr): void {
    const call = 'ibv_modify_qp';
    const { bytes, mask } = encodeQpAttr(attr);
    done(call, this.#lib.modifyQp(this.#objects.qps.get(call, qp).pointer, bytes, mask));
  }

  query(qp: number): QpAttr {
    const call = 'ibv_query_qp';
    const attr = Buffer.alloc(sizes.qpAttr);
    const init = Buffer.alloc(sizes.qpInitAttr);
    done(call, this.#lib.queryQp(this.#objects.qps.get(call, qp).pointer, attr, allAttributes, init));
    return decodeQpAttr(attr);
  }

  destroy(qp: number): void {
    const call = 'ibv_destroy_qp';
    this.#around.takeEvents();
    done(call, this.#lib.destroyQp(this.#objects.qps.get(call, qp).pointer));
    this.#objects.qps.delete(qp);
  }

  /** A WR of a UD QP must name an address handle: libibverbs would follow a null pointer. EINVAL without. */
  postSend(qp: number, wr: SendWr, next: readonly SendWr[] = []): void {
    const call = 'ibv_post_send';
    const { pointer, type } = this.#objects.qps.get(call, qp);
    const encode = (one: SendWr): Buffer => encodeSendWr(one, this.#namedBy(call, one, type));
    postList(call, this.#ops.postSend, pointer, [encode(wr), ...next.map(encode)]);
    this.#around.windows.posted([wr, ...next]);
  }

  postRecv(qp: number, wr: RecvWr, next: readonly RecvWr[] = []): void {
    const call = 'ibv_post_recv';
    const { pointer } = this.#objects.qps.get(call, qp);
    postList(call, this.#ops.postRecv, pointer, [encodeRecvWr(wr), ...next.map(encodeRecvWr)]);
  }

  #namedBy(call: string, { ah, bind_mw: binding }: SendWr, type: QpType): NamedObjects {
    const { ahs, mws, mrs } = this.#objects;
    if (type === 'IBV_QPT_UD') return { ah: ahs.get(call, ah ?? 0) };
    if (binding === undefined) return {};
    return { mw: mws.get(call, binding.mw), mr: mrs.get(call, binding.mr).pointer };
  }
}
