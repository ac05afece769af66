import type { Clock, Verbs } from '../adapter.ts';
import type { VerbsDevice } from './device/device.ts';

/** The `Verbs` of a device in this process. Errors of the calls become rejections; events carry the clock's time. */
export function localVerbs(device: VerbsDevice, clock: Clock): Verbs {
  // an async function turns a synchronous throw into a rejection
  return {
    query_device: async () => device.query(),
    query_port: async () => device.port.query(),
    query_gid: async () => device.port.gids(),
    query_pkey: async (index) => device.port.pkey(index),
    query_srq: async (srq) => device.srqs.query(srq),
    create_ah: async (args) => device.createAh(args),
    destroy_ah: async (ah) => device.destroyAh(ah),
    alloc_pd: async () => device.allocatePd(),
    dealloc_pd: async (pd) => device.deallocatePd(pd),
    reg_mr: async (args) => device.mrs.register(args),
    dereg_mr: async (mr) => device.mrs.deregister(mr),
    rereg_mr: async (mr, change) => device.mrs.change(mr, change),
    alloc_mw: async (pd, type) => device.mws.allocate(pd, type),
    bind_mw: async (qp, bind) => device.mws.bind(qp, bind),
    dealloc_mw: async (mw) => device.mws.deallocate(mw),
    read_memory: async (mr, offset, length) => device.mrs.read(mr, offset, length),
    write_memory: async (mr, offset, bytes) => device.mrs.write(mr, offset, Buffer.from(bytes)),
    create_cq: async (args) => device.cqs.create(args.cqe),
    cq_size: async (cq) => device.cqs.size(cq),
    resize_cq: async (cq, cqe) => device.cqs.resize(cq, cqe),
    destroy_cq: async (cq) => device.cqs.destroy(cq),
    poll_cq: async (cq, max) => device.cqs.poll(cq, max),
    req_notify_cq: async (cq, solicitedOnly) => device.cqs.requestEvent(cq, solicitedOnly),
    onCqEvent: (listener) => {
      device.cqs.onEvent = (cq) => listener(cq, clock.now());
    },
    create_srq: async (args) => device.srqs.create(args),
    modify_srq: async (srq, attr) => device.srqs.modify(srq, attr),
    destroy_srq: async (srq) => device.srqs.destroy(srq),
    post_srq_recv: async (srq, wr, next) => device.srqs.post(srq, wr, next),
    create_qp: async (args) => device.qps.create(args),
    modify_qp: async (qp, attr) => device.qps.modify(qp, attr),
    query_qp: async (qp) => device.qps.query(qp),
    destroy_qp: async (qp) => device.qps.destroy(qp),
    post_send: async (qp, wr, next) => device.qps.postSend(qp, wr, next),
    post_recv: async (qp, wr, next) => device.qps.postRecv(qp, wr, next),
    onAsyncEvent: (listener) => {
      device.onAsyncEvent = (event) => listener(event, clock.now());
    },
    onSecondContextEvent: (listener) => {
      device.onSecondContextEvent = (event) => listener(event, clock.now());
    },
  };
}
