import { announceLast, flushed, raiseLast } from '../flush.ts';
import type { Core } from '../core.ts';
import type { QueuePair } from '../qp.ts';
import { reset } from '../reset.ts';
import { receiveDomain, type ReceiveQueue, type RecvWqe } from '../receive-queue.ts';
import { dequeue, receiptOf } from '../../rc-responder/receive.ts';
import { faultsAt, type Varied } from '../../seam.ts';
import { giveBack } from '../../unreliable/receive-fault.ts';
import { removeQp } from '../../verbs/queue-pairs.ts';
import { armLimit, disarm, isBelowLimit, noticeLimit } from '../../verbs/srq-limit.ts';
import { consumesWqe } from '../../rc-responder/write.ts';
import { isDevice } from './is-device.ts';

function qpsOf(core: Varied, queue: ReceiveQueue): QueuePair[] {
  const all = isDevice(core) ? [...core.qps.values()] : [];
  return queue.srq === undefined ? [] : all.filter(({ receiveQueue }) => receiveQueue === queue);
}

/** Another QP on the SRQ of this one. */
function neighbour(core: Core, qp: QueuePair): QueuePair | undefined {
  return qpsOf(core, qp.receiveQueue).find((one) => one !== qp);
}

/** the WQE of an SRQ that was taken last, and by whom */
const newest = new WeakMap<ReceiveQueue, { wqe: RecvWqe; by: QueuePair }>();
/** times that the event of an SRQ's limit has come since it was set */
const raised = new WeakMap<ReceiveQueue, number>();

/** SRQs with a limit that was above what was on them when it was set */
const lowWhenArmed = new WeakSet<ReceiveQueue>();

/** devices that are about to take a WQE for a WRITE with immediate, and those that have */
const taking = new WeakSet<Core>();
const taken = new WeakSet<Core>();

/** WQEs that were to go back to the SRQ, by the QP that has kept them */
const kept = new WeakMap<QueuePair, RecvWqe[]>();

function keptBy(qp: QueuePair): RecvWqe[] {
  const own = kept.get(qp) ?? [];
  kept.set(qp, own);
  return own;
}

/** What mutants do wrong where several QPs take receive WQEs from one SRQ. */
export const sharedReceiveFaults = [
  faultsAt(receiveDomain, { 'srq-memory-by-domain-of-qp': (_sound, _core, qp) => qp.pd }),

  faultsAt(armLimit, {
    'srq-limit-dead-where-low': (sound, core, queue, limit) => {
      if (queue.wqes.length < limit) lowWhenArmed.add(queue);
      else lowWhenArmed.delete(queue);
      sound(core, queue, limit);
    },
  }),
  faultsAt(isBelowLimit, {
    'srq-limit-dead-where-low': (sound, core, queue) => !lowWhenArmed.has(queue) && sound(core, queue),
  }),

  faultsAt(consumesWqe, {
    'srq-limit-unseen-by-writes': (sound, core, immediate) => {
      if (immediate) taking.add(core);
      return sound(core, immediate);
    },
  }),
  faultsAt(noticeLimit, {
    'srq-limit-unseen-by-writes': (sound, core, queue) => {
      if (!taken.has(core)) sound(core, queue);
    },
  }),

  faultsAt(dequeue, {
    'srq-limit-unseen-by-writes': (sound, core, qp) => {
      if (taking.delete(core)) taken.add(core);
      else taken.delete(core);
      return sound(core, qp);
    },
    'srq-wqe-taken-twice': (sound, core, qp) => {
      const { receiveQueue: queue } = qp;
      const taken = newest.get(queue);
      newest.delete(queue);
      if (queue.srq !== undefined && taken !== undefined && taken.by !== qp) return taken.wqe;
      const wqe = sound(core, qp);
      if (wqe !== undefined) newest.set(queue, { wqe, by: qp });
      return wqe;
    },
    'uc-srq-wqe-stays-with-qp': (sound, core, qp) => keptBy(qp).shift() ?? sound(core, qp),
    'uc-srq-wqe-given-back-and-kept': (sound, core, qp) => keptBy(qp).shift() ?? sound(core, qp),
  }),

  faultsAt(giveBack, {
    'uc-srq-wqe-stays-with-qp': (sound, core, qp, wqe) => {
      if (qp.receiveQueue.srq === undefined) sound(core, qp, wqe);
      else keptBy(qp).push(wqe);
    },
    'uc-srq-wqe-given-back-and-kept': (sound, core, qp, wqe) => {
      sound(core, qp, wqe);
      if (qp.receiveQueue.srq !== undefined) keptBy(qp).push(wqe);
    },
  }),

  faultsAt(receiptOf, {
    'shared-receipt-names-neighbour': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const one = neighbour(core, qp);
      const wc = sound(core, qp, packet, wqe, opcode, bytes);
      return one === undefined ? wc : { ...wc, qp_num: one.num };
    },
  }),

  faultsAt(reset, {
    'srq-wqe-back-by-reset': (sound, device, qp) => {
      const { receiveQueue: queue } = qp;
      const { message } = qp.responder;
      if (queue.srq !== undefined && message?.kind === 'send') queue.wqes.unshift(message.wqe);
      sound(device, qp);
    },
    'srq-wqe-freed-by-reset': (sound, device, qp) => {
      if (qp.receiveQueue.srq !== undefined) qp.receiveQueue.wqes.shift();
      sound(device, qp);
    },
  }),

  faultsAt(removeQp, {
    'srq-wqe-back-by-destruction': (sound, device, qp) => {
      const { receiveQueue: queue, responder } = qp;
      const { message } = responder;
      if (queue.srq !== undefined && message?.kind === 'send') queue.wqes.unshift(message.wqe);
      sound(device, qp);
    },
  }),

  faultsAt(announceLast, {
    'last-wqe-of-neighbour': (sound, core, qp) => {
      const one = neighbour(core, qp);
      if (one === undefined || qp.lastWqe) return sound(core, qp);
      qp.lastWqe = true;
      raiseLast(core, one);
    },
  }),

  faultsAt(flushed, {
    'srq-wqe-lost-in-error': (sound, core, qp, queue, wrId) => {
      if (queue === 'send' || qp.receiveQueue.srq === undefined) sound(core, qp, queue, wrId);
    },
  }),

  faultsAt(disarm, {
    'srq-limit-told-for-each-qp': (sound, core, queue) => {
      const times = (raised.get(queue) ?? 0) + 1;
      const last = times >= qpsOf(core, queue).length;
      if (last) sound(core, queue);
      if (last) raised.delete(queue);
      else raised.set(queue, times);
    },
  }),
];
