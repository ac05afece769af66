import { abandon } from '../ooo/flush.ts';
import { isOutOfOrder } from '../ooo/qp.ts';
import { stopAckTimer, type SendWqe } from '../rc-requester/state.ts';
import { seam } from '../seam.ts';
import type { Core } from './core.ts';
import type { QueuePair } from './qp.ts';

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
  endReceipts(core, qp, message?.kind === 'send' ? [message.wqe.wr_id, ...taken] : taken);
  flushSends(core, qp, q.queue.splice(0));
  q.askedUpTo = undefined;
}

/** The receive WQEs that messages had begun with are the oldest, and come first. */
export const endReceipts = seam((core: Core, qp: QueuePair, begun: readonly number[]): void => {
  for (const wrId of begun) flushed(core, qp, 'recv', wrId);
  endReceiving(core, qp);
});

/** The QP takes no receive WQE any more. */
export const endReceiving = seam((core: Core, qp: QueuePair): void => {
  if (qp.receiveQueue.srq === undefined) flushReceives(core, qp);
  else announceLast(core, qp);
});

/** Every receive WQE of the queue completes as flushed. */
export const flushReceives = seam((core: Core, qp: QueuePair): void => {
  for (const wqe of qp.receiveQueue.wqes.splice(0)) flushed(core, qp, 'recv', wqe.wr_id);
});

/** LAST_WQE_REACHED, once in ERR. */
export const announceLast = seam((core: Core, qp: QueuePair): void => {
  if (qp.lastWqe) return;
  qp.lastWqe = true;
  raiseLast(core, qp);
});

export function raiseLast(core: Core, qp: QueuePair): void {
  core.raise({ event_type: 'IBV_EVENT_QP_LAST_WQE_REACHED', qp_num: qp.num });
}

export const flushSends = seam((core: Core, qp: QueuePair, left: readonly SendWqe[]): void => {
  for (const wqe of left) flushed(core, qp, 'send', wqe.wr.wr_id);
});

/** One completion "flushed" for a WQE, e.g. one posted in ERR. */
export const flushed = seam((core: Core, qp: QueuePair, queue: 'send' | 'recv', wrId: number): void => {
  core.complete(queue === 'send' ? qp.sendCq : qp.recvCq, {
    wr_id: wrId,
    status: 'IBV_WC_WR_FLUSH_ERR',
    qp_num: qp.num,
  });
});
