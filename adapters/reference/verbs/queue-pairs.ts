import type { QpAttr, QpCap } from '../../../spec/verbs.ts';
import { VerbsError, type Verbs } from '../../adapter.ts';
import { copyOf, modifyQp } from '../attributes/modify.ts';
import type { Core } from '../device/core.ts';
import type { Device } from '../device/device.ts';
import { limits } from '../device/limits.ts';
import { makeQp, resetQp, type QueuePair } from '../device/qp.ts';
import { makeReceiveQueue } from '../device/receive-queue.ts';
import { serviceOf } from '../device/service.ts';
import { isOutOfOrder } from '../ooo/qp.ts';
import { pumpOutOfOrder } from '../ooo/requester.ts';
import { makeOutOfOrder } from '../ooo/state.ts';
import { pump } from '../rc-requester/send.ts';
import { pumpUnreliable } from '../unreliable/requester.ts';
import { seam } from '../seam.ts';
import { EBUSY, EINVAL, EOPNOTSUPP, need } from './errno.ts';
import { postEach, postRecv, postSend } from './post.ts';

type QpVerbs = Pick<Verbs, 'create_qp' | 'modify_qp' | 'query_qp' | 'destroy_qp' | 'post_send' | 'post_recv'>;

/** The verbs of queue pairs. */
export function makeQpVerbs(device: Device): QpVerbs {
  const { qps } = device;
  return {
    async create_qp(asked) {
      return createQp(device, asked);
    },
    async modify_qp(qp, attr) {
      modifyQp(device, need('modify_qp', qps.get(qp)), attr);
    },
    async query_qp(qp) {
      return queried(device, need('query_qp', qps.get(qp)));
    },
    async destroy_qp(qp) {
      const found = need('destroy_qp', qps.get(qp));
      if (isQpHeld(device, found)) throw new VerbsError('destroy_qp', EBUSY);
      removeQp(device, found);
    },
    async post_send(qp, wr, next = []) {
      const found = need('post_send', qps.get(qp));
      postEach(device, [wr, ...next], (one) => {
        postSend(device, found, one);
      });
    },
    async post_recv(qp, wr, next = []) {
      const found = need('post_recv', qps.get(qp));
      postEach(device, [wr, ...next], (one) => {
        postRecv(device, found, one);
      });
    },
  };
}

/** Ends whatever a QP has under way, and with it the QP. */
export const removeQp = seam((device: Device, qp: QueuePair): void => {
  resetQp(qp);
  device.qps.delete(qp.handle);
  device.qpByNumber.delete(qp.num);
});

/** Number of a new QP, which no other has. */
export const qpNumber = seam((device: Device): number => device.nextQp++);

/** Whether something keeps a QP from going; there are no multicast groups here. */
export const isQpHeld = seam((_device: Device, _qp: QueuePair): boolean => false);

/** What ibv_query_qp gives. */
export const queried = seam((_device: Device, { attr, state, responder, requester }: QueuePair): QpAttr => {
  const unconnected = state === 'IBV_QPS_RESET' || state === 'IBV_QPS_INIT';
  const states = { qp_state: state, cur_qp_state: state };
  const psns = unconnected ? {} : { rq_psn: responder.epsn, sq_psn: requester.end };
  // A literal that begins with a spread and goes on takes V8 three times as long.
  return Object.assign({}, copyOf(attr), states, psns);
});

/** What the queues of a QP have room for of which so much was asked for. */
export const roomFor = seam((_device: Device, asked: QpCap): QpCap => ({ ...asked }));

function createQp(
  device: Device,
  { pd, qp_type, send_cq, recv_cq, srq, cap: asked, sq_sig_all, ooo }: Parameters<Verbs['create_qp']>[0],
): { qp: number; qp_num: number; cap: QpCap } {
  const { pds, cqs, srqs, qps } = device;
  const service = serviceOf(qp_type);
  if (service === undefined || (ooo === true && (service !== 'RC' || !device.config.ooo)))
    throw new VerbsError('create_qp', EOPNOTSUPP);
  if (service === 'UC' && srq !== undefined && !device.config.ucSrq)
    throw new VerbsError('create_qp', EINVAL);
  if (!pds.has(pd) || qps.size >= limits.maxQps) throw new VerbsError('create_qp', EINVAL);
  if (
    Math.max(asked.max_send_sge, asked.max_recv_sge) > limits.maxSge ||
    (asked.max_inline_data ?? 0) > limits.maxInline
  )
    throw new VerbsError('create_qp', EINVAL);
  const cap = roomFor(device, asked);
  const qp = device.nextHandle++;
  const num = qpNumber(device);
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
    cap,
    signalAll: sq_sig_all === true,
    pump: () => pumpOf(device, made),
    ooo: ooo === true ? makeOutOfOrder() : undefined,
  });
  qps.set(qp, made);
  device.qpByNumber.set(num, made);
  return { qp, qp_num: num, cap: { ...cap } };
}

function pumpOf(core: Core, qp: QueuePair): void {
  if (isOutOfOrder(qp)) pumpOutOfOrder(core, qp);
  else if (qp.service === 'RC') pump(core, qp);
  else pumpUnreliable(core, qp);
}
