import type { Clock, Verbs } from '../adapter.ts';
import type { VerbsDevice } from './device.ts';

/** The `Verbs` of a device in this process. Errors of the calls become rejections; events carry the clock's time. */
export function localVerbs(device: VerbsDevice, clock: Clock): Verbs {
  // an async function turns a synchronous throw into a rejection
  return {
    query_device: async () => device.query_device(),
    query_port: async () => device.query_port(),
    query_gid: async () => device.query_gid(),
    query_pkey: async (index) => device.query_pkey(index),
    query_srq: async (srq) => device.query_srq(srq),
    create_ah: async (args) => device.create_ah(args),
    destroy_ah: async (ah) => device.destroy_ah(ah),
    alloc_pd: async () => device.alloc_pd(),
    dealloc_pd: async (pd) => device.dealloc_pd(pd),
    reg_mr: async (args) => device.reg_mr(args),
    dereg_mr: async (mr) => device.dereg_mr(mr),
    rereg_mr: async (mr, change) => device.rereg_mr(mr, change),
    alloc_mw: async (pd, type) => device.alloc_mw(pd, type),
    bind_mw: async (qp, bind) => device.bind_mw(qp, bind),
    dealloc_mw: async (mw) => device.dealloc_mw(mw),
    read_memory: async (mr, offset, length) => device.read_memory(mr, offset, length),
    write_memory: async (mr, offset, bytes) => device.write_memory(mr, offset, Buffer.from(bytes)),
    create_cq: async (args) => device.create_cq(args),
    cq_size: async (cq) => device.cq_size(cq),
    resize_cq: async (cq, cqe) => device.resize_cq(cq, cqe),
    destroy_cq: async (cq) => device.destroy_cq(cq),
    poll_cq: async (cq, max) => device.poll_cq(cq, max),
    req_notify_cq: async (cq, solicitedOnly) => device.req_notify_cq(cq, solicitedOnly),
    onCqEvent: (listener) => {
      device.onCqEvent = (cq) => listener(cq, clock.now());
    },
    create_srq: async (args) => device.create_srq(args),
    modify_srq: async (srq, attr) => device.modify_srq(srq, attr),
    destroy_srq: async (srq) => device.destroy_srq(srq),
    post_srq_recv: async (srq, wr, next) => device.post_srq_recv(srq, wr, next),
    create_qp: async (args) => device.create_qp(args),
    modify_qp: async (qp, attr) => device.modify_qp(qp, attr),
    query_qp: async (qp) => device.query_qp(qp),
    destroy_qp: async (qp) => device.destroy_qp(qp),
    post_send: async (qp, wr, next) => device.post_send(qp, wr, next),
    post_recv: async (qp, wr, next) => device.post_recv(qp, wr, next),
    onAsyncEvent: (listener) => {
      device.onAsyncEvent = (event) => listener(event, clock.now());
    },
    onSecondContextEvent: (listener) => {
      device.onSecondContextEvent = (event) => listener(event, clock.now());
    },
  };
}
