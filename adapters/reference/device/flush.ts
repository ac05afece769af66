import type { Core } from './core.ts';
import { abandon } from '../ooo/flush.ts';
import { isOutOfOrder } from '../ooo/qp.ts';
import type { QueuePair } from './qp.ts';
import { stopAckTimer } from '../rc-requester/state.ts';

/** What entering ERR does to the queues: every WQE left completes in error, an SRQ keeps its own. */
export function flush(core: Core, qp: QueuePair): void {
  const { requester: q, responder: r } = qp;
  stopAckTimer(q);
  q.rnrTimer?.cancel();
  r.ackTimer?.cancel();
  q.rnrTimer = r.ackTimer = undefined;
  r.owedAcks = 0;
  const taken = isOutOfOrder(qp) ? abandon(qp) : [];
  const message = r.message;
  r.message = undefined;
  if (message?.kind === 'send') flushed(core, qp, 'recv', message.wqe.wr_id);
  for (const wrId of taken) flushed(core, qp, 'recv', wrId);
  const shared = qp.receiveQueue.srq !== undefined;
  if (!shared || core.fault === 'shared-queue-flushed') flushReceives(core, qp);
  if (shared || core.fault === 'last-wqe-without-srq') announceLast(core, qp);
  const sends = q.queue.splice(0);
  if (core.fault === 'flush-reversed') sends.reverse();
  if (core.fault !== 'send-queue-not-flushed')
    for (const wqe of sends) flushed(core, qp, 'send', wqe.wr.wr_id);
  q.askedUpTo = undefined;
}

/** Every receive WQE of the queue completes as flushed. */
export function flushReceives(core: Core, qp: QueuePair): void {
  const left = qp.receiveQueue.wqes.splice(0);
  if (core.fault === 'receive-queue-not-flushed') return;
  for (const wqe of left) flushed(core, qp, 'recv', wqe.wr_id);
}

/** LAST_WQE_REACHED, once in ERR. */
function announceLast(core: Core, qp: QueuePair): void {
  if (qp.lastWqe || core.fault === 'last-wqe-missing') return;
  qp.lastWqe = true;
  core.raise({ event_type: 'IBV_EVENT_QP_LAST_WQE_REACHED', qp_num: qp.num });
  if (core.fault === 'last-wqe-repeated')
    core.raise({ event_type: 'IBV_EVENT_QP_LAST_WQE_REACHED', qp_num: qp.num });
}

/** One completion "flushed" for a WQE, e.g. one posted in ERR. */
export function flushed(core: Core, qp: QueuePair, queue: 'send' | 'recv', wrId: number): void {
  core.complete(queue === 'send' ? qp.sendCq : qp.recvCq, {
    wr_id: wrId,
    status: queue === 'send' && core.fault === 'flush-status' ? 'IBV_WC_GENERAL_ERR' : 'IBV_WC_WR_FLUSH_ERR',
    qp_num: qp.num,
  });
}
