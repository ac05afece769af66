import type { WcStatus } from '../../../spec/verbs.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { seam } from '../seam.ts';

/** A receive WQE that cannot be used completes in error, and the QP ends; nobody tells the sender. */
export const failReceive = seam((core: Core, qp: QueuePair, wqe: RecvWqe, status: WcStatus): void => {
  qp.responder.message = undefined;
  completeFailed(core, qp, wqe, status);
  core.fail(qp);
});

export const completeFailed = seam(
  (core: Core, qp: QueuePair, { wr_id }: RecvWqe, status: WcStatus): void => {
    core.complete(qp.recvCq, { wr_id, status, qp_num: qp.num });
  },
);

/**
 * What comes of a message whose packets do not go on: a receive WQE that it has taken is used again for the next one. A WQE of
 * an SRQ goes back, or completes as aborted where the device cannot put it back.
 */
export const abandon = seam((core: Core, qp: QueuePair): void => {
  const { message } = qp.responder;
  qp.responder.message = undefined;
  if (message?.kind === 'send') giveBack(core, qp, message.wqe);
});

/** Whether a receive WQE that has been taken cannot be given back. */
export function keeps({ config }: Core, { receiveQueue }: QueuePair): boolean {
  return receiveQueue.srq !== undefined && config.srqAbort;
}

/** A receive WQE is as if it had never been taken. */
export const giveBack = seam((core: Core, qp: QueuePair, wqe: RecvWqe): void => {
  if (keeps(core, qp)) abort(core, qp, wqe);
  else qp.receiveQueue.wqes.unshift(wqe);
});

export const abort = seam((core: Core, qp: QueuePair, { wr_id }: RecvWqe): void => {
  core.complete(qp.recvCq, { wr_id, status: 'IBV_WC_REM_ABORT_ERR', qp_num: qp.num });
});
