import type { AccessFlag } from '../../../spec/verbs.ts';
import { VerbsError, type Verbs } from '../../adapter.ts';
import { makeCq } from '../device/cq.ts';
import type { Device } from '../device/device.ts';
import { limits } from '../device/limits.ts';
import { copyOf, modifyQp } from '../attributes/modify.ts';
import { misreported } from '../attributes/faults.ts';
import { makeOutOfOrder } from '../ooo/state.ts';
import { postRecv, postSend } from './post.ts';
import { portAttributes } from '../device/port.ts';
import { makeQp, resetQp } from '../device/qp.ts';
import { makeReceiveQueue } from '../device/receive-queue.ts';
import { serviceOf } from '../device/service.ts';
import { makeAddressVerbs } from './address-handles.ts';
import { makeSrqVerbs } from './shared-receive-queues.ts';

const EINVAL = 22;
const EBUSY = 16;
const EOPNOTSUPP = 95;

function need<T>(call: string, value: T | undefined): T {
  if (value === undefined) throw new VerbsError(call, EINVAL);
  return value;
}

/** The verbs of a device, as plain functions: they can be wrapped one by one by spreading the object. */
export function makeVerbs(device: Device): Verbs {
  const { memory, pds, cqs, srqs, ahs, qps } = device;
  const handle = (): number => device.nextHandle++;
  return {
    async query_device() {
      return {
        max_qp: limits.maxQps,
        max_qp_rd_atom: limits.maxRdAtomic,
        max_qp_init_rd_atom: limits.maxRdAtomic,
        local_ca_ack_delay: device.fault === 'ack-delay-in-microseconds' ? 66 : limits.ackDelay,
        max_sge: limits.maxSge,
        max_cqe: limits.maxCqe,
        max_srq_wr: limits.maxSrqWr,
        srq_resize: device.config.srqResize,
        port_active_event: device.config.portEvents && device.fault !== 'port-events-not-flagged',
      };
    },
    async query_port() {
      return portAttributes(device);
    },
    ...makeAddressVerbs(device),
    ...makeSrqVerbs(device),
    async alloc_pd() {
      const pd = handle();
      pds.add(pd);
      return pd;
    },
    async dealloc_pd(pd) {
      if (!pds.has(pd)) throw new VerbsError('dealloc_pd', EINVAL);
      const used =
        memory.usesPd(pd) ||
        [...qps.values()].some((qp) => qp.pd === pd) ||
        [...srqs.values()].some((srq) => srq.pd === pd) ||
        [...ahs.values()].some((ah) => ah.pd === pd);
      if (used) throw new VerbsError('dealloc_pd', EBUSY);
      pds.delete(pd);
    },
    async reg_mr({ pd, length, access }) {
      if (!pds.has(pd) || length < 0 || !accessAllowed(access)) throw new VerbsError('reg_mr', EINVAL);
      const { mr, addr, lkey, rkey } = memory.register(pd, length, [...access]);
      return { mr, addr, lkey, rkey };
    },
    async dereg_mr(mr) {
      if (!memory.deregister(mr)) throw new VerbsError('dereg_mr', EINVAL);
    },
    async read_memory(mr, offset, length) {
      return need('read_memory', memory.read(need('read_memory', memory.byHandle(mr)), offset, length));
    },
    async write_memory(mr, offset, bytes) {
      const region = need('write_memory', memory.byHandle(mr));
      if (!memory.write(region, offset, bytes)) throw new VerbsError('write_memory', EINVAL);
    },
    async create_cq({ cqe }) {
      if (cqe < 1 || cqe > limits.maxCqe) throw new VerbsError('create_cq', EINVAL);
      const cq = handle();
      cqs.set(cq, makeCq(cq, cqe));
      return cq;
    },
    async destroy_cq(cq) {
      const queue = need('destroy_cq', cqs.get(cq));
      if ([...qps.values()].some((qp) => qp.sendCq === queue || qp.recvCq === queue))
        throw new VerbsError('destroy_cq', EBUSY);
      cqs.delete(cq);
    },
    async poll_cq(cq, max) {
      const queue = need('poll_cq', cqs.get(cq));
      return queue.failed ? [] : queue.entries.splice(0, max);
    },
    async req_notify_cq(cq) {
      need('req_notify_cq', cqs.get(cq)).armed = true;
    },
    onCqEvent(listener) {
      device.cqListener = listener;
    },
    async create_qp({ pd, qp_type, send_cq, recv_cq, srq, cap, sq_sig_all, ooo }) {
      const service = serviceOf(qp_type);
      if (service === undefined || (ooo === true && (service !== 'RC' || !device.config.ooo)))
        throw new VerbsError('create_qp', EOPNOTSUPP);
      if (!pds.has(pd) || qps.size >= limits.maxQps) throw new VerbsError('create_qp', EINVAL);
      if (
        Math.max(cap.max_send_sge, cap.max_recv_sge) > limits.maxSge ||
        (cap.max_inline_data ?? 0) > limits.maxInline
      )
        throw new VerbsError('create_qp', EINVAL);
      const qp = handle();
      const num = device.nextQp++;
      const made = makeQp({
        handle: qp,
        num,
        service,
        pd,
        sendCq: need('create_qp', cqs.get(send_cq)),
        recvCq: need('create_qp', cqs.get(recv_cq)),
        receiveQueue:
          srq === undefined
            ? makeReceiveQueue(pd, cap.max_recv_wr, cap.max_recv_sge)
            : need('create_qp', srqs.get(srq)),
        cap: { ...cap },
        signalAll: sq_sig_all === true,
        ooo: ooo === true ? makeOutOfOrder() : undefined,
      });
      qps.set(qp, made);
      device.qpByNumber.set(num, made);
      return { qp, qp_num: num };
    },
    async modify_qp(qp, attr) {
      modifyQp(device, need('modify_qp', qps.get(qp)), attr);
    },
    async query_qp(qp) {
      const found = need('query_qp', qps.get(qp));
      const { epsn } = found.responder;
      const unconnected = found.state === 'IBV_QPS_RESET' || found.state === 'IBV_QPS_INIT';
      const hidden = device.fault === 'retry-reported-as-error' && found.requester.recovering;
      const state = hidden ? 'IBV_QPS_ERR' : found.state;
      const states = { qp_state: state, cur_qp_state: state };
      const psns = unconnected ? {} : { rq_psn: epsn, sq_psn: found.requester.end };
      // A literal that begins with a spread and goes on takes V8 three times as long.
      return misreported(device.fault, Object.assign({}, copyOf(found.attr), states, psns), found.attr);
    },
    async destroy_qp(qp) {
      const found = need('destroy_qp', qps.get(qp));
      resetQp(found);
      qps.delete(qp);
      device.qpByNumber.delete(found.num);
    },
    async post_send(qp, wr) {
      postSend(device, need('post_send', qps.get(qp)), wr);
    },
    async post_recv(qp, wr) {
      postRecv(device, need('post_recv', qps.get(qp)), wr);
    },
    onAsyncEvent(listener) {
      device.eventListener = listener;
    },
  };
}

/** Remote write and remote atomic rights need the local write right. */
function accessAllowed(access: readonly AccessFlag[]): boolean {
  const writes = access.includes('IBV_ACCESS_REMOTE_WRITE') || access.includes('IBV_ACCESS_REMOTE_ATOMIC');
  return !writes || access.includes('IBV_ACCESS_LOCAL_WRITE');
}
