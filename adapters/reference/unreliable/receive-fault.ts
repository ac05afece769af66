import type { WcStatus } from '../../../spec/verbs.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import type { RecvWqe } from '../device/receive-queue.ts';

/** A receive WQE that cannot be used completes in error, and the QP ends; nobody tells the sender. */
export function failReceive(core: Core, qp: QueuePair, wqe: RecvWqe, status: WcStatus): void {
  const { fault } = core;
  const local = status === 'IBV_WC_LOC_PROT_ERR';
  qp.responder.message = undefined;
  if (local && fault === 'unreliable-receive-fault-silent') return;
  core.complete(qp.recvCq, { wr_id: wqe.wr_id, status: reported(core, qp, status), qp_num: qp.num });
  if (local && fault === 'unreliable-receive-fault-survived') return;
  core.fail(qp);
}

function reported({ fault }: Core, qp: QueuePair, status: WcStatus): WcStatus {
  switch (status) {
    case 'IBV_WC_LOC_PROT_ERR':
      if (fault === 'unreliable-receive-fault-status') return 'IBV_WC_GENERAL_ERR';
      if (fault === 'receive-remote-operational') return 'IBV_WC_REM_OP_ERR';
      if (fault === 'datagram-access-error' && qp.service === 'UD') return 'IBV_WC_LOC_ACCESS_ERR';
      return status;
    case 'IBV_WC_LOC_LEN_ERR':
      if (fault === 'uc-too-long-status') return 'IBV_WC_LOC_QP_OP_ERR';
      return fault === 'unreliable-receive-invalid' ? 'IBV_WC_REM_INV_REQ_ERR' : status;
    case 'IBV_WC_LOC_ACCESS_ERR':
      return fault === 'uc-access-status' ? 'IBV_WC_LOC_PROT_ERR' : status;
    default:
      return status;
  }
}

/** how much of a message that was given up a receive WQE of a mutant holds */
const interrupted = new WeakMap<RecvWqe, number>();

/** Where in the buffer of a WQE a new message begins. */
export function beginningOf(core: Core, wqe: RecvWqe): number {
  return core.fault === 'uc-abandoned-position-kept' ? (interrupted.get(wqe) ?? 0) : 0;
}

/**
 * What comes of a message whose packets do not go on: a receive WQE that it has taken is used again for the next one. A WQE of
 * an SRQ goes back, or completes as aborted where the device cannot put it back.
 */
export function abandon(core: Core, qp: QueuePair): void {
  const { message } = qp.responder;
  qp.responder.message = undefined;
  if (message?.kind !== 'send') return;
  if (core.fault === 'uc-abandoned-position-kept') interrupted.set(message.wqe, message.received);
  giveBack(core, qp, message.wqe);
}

/** Whether a receive WQE that has been taken cannot be given back. */
export function keeps({ config }: Core, { receiveQueue }: QueuePair): boolean {
  return receiveQueue.srq !== undefined && config.srqAbort;
}

/** A receive WQE is as if it had never been taken. */
export function giveBack(core: Core, qp: QueuePair, wqe: RecvWqe): void {
  const { fault } = core;
  if (fault === 'uc-abandoned-receive-lost') return;
  if (!keeps(core, qp)) {
    qp.receiveQueue.wqes.unshift(wqe);
    return;
  }
  const status = fault === 'uc-abort-status' ? 'IBV_WC_WR_FLUSH_ERR' : 'IBV_WC_REM_ABORT_ERR';
  core.complete(qp.recvCq, { wr_id: wqe.wr_id, status, qp_num: qp.num });
  if (fault === 'uc-abort-fatal') core.fail(qp);
}
