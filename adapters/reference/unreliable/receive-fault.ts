import type { WcStatus } from '../../../spec/verbs.ts';
import type { Core } from '../core.ts';
import type { QueuePair } from '../qp.ts';
import type { RecvWqe } from '../receive-queue.ts';

/** A receive WQE that cannot be used completes in error, and the QP ends; nobody tells the sender. */
export function failReceive(core: Core, qp: QueuePair, wqe: RecvWqe, status: WcStatus): void {
  qp.responder.message = undefined;
  core.complete(qp.recvCq, { wr_id: wqe.wr_id, status, qp_num: qp.num });
  core.fail(qp);
}

/**
 * What comes of a message whose packets do not go on: a receive WQE that it has taken is used again for the next one. A WQE of
 * an SRQ goes back, or completes as aborted where the device cannot put it back.
 */
export function abandon(core: Core, qp: QueuePair): void {
  const { message } = qp.responder;
  qp.responder.message = undefined;
  if (message?.kind === 'send') giveBack(core, qp, message.wqe);
}

/** Whether a receive WQE that has been taken cannot be given back. */
export function keeps({ config }: Core, { receiveQueue }: QueuePair): boolean {
  return receiveQueue.srq !== undefined && config.srqAbort;
}

/** A receive WQE is as if it had never been taken. */
export function giveBack(core: Core, qp: QueuePair, wqe: RecvWqe): void {
  const queue = qp.receiveQueue;
  if (keeps(core, qp)) {
    core.complete(qp.recvCq, { wr_id: wqe.wr_id, status: 'IBV_WC_REM_ABORT_ERR', qp_num: qp.num });
    return;
  }
  queue.wqes.unshift(wqe);
}
