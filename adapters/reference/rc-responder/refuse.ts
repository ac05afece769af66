import type { NakCode } from '../../../spec/constants.ts';
import type { EventType, RecvWr, WcStatus } from '../../../spec/verbs.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { seam } from '../seam.ts';
import { refusedLast } from './departure.ts';
import { sendNak } from './reply.ts';

/** A request that ends the connection: what is sent to the peer, and how it is reported here. */
export interface Refusal {
  /** absent: nothing is sent to the peer */
  nak?: NakCode;
  psn: number;
  /** receive WQE in use, which then completes with `status` */
  wqe?: RecvWr | undefined;
  status: WcStatus;
  /** raised where no receive WQE is in use */
  event: EventType;
}

/** NAK, report, QP to ERR; in this order, so that the NAK still leaves. */
export function refuse(core: Core, qp: QueuePair, refusal: Refusal): void {
  tellPeer(core, qp, refusal);
  refusedLast(qp);
  qp.responder.message = undefined;
  endConnection(core, qp, refusal);
}

export const tellPeer = seam((core: Core, qp: QueuePair, { nak, psn }: Refusal): void => {
  if (nak !== undefined) sendNak(core, qp, nak, psn);
});

export const endConnection = seam((core: Core, qp: QueuePair, refusal: Refusal): void => {
  report(core, qp, refusal);
  core.fail(qp);
});

/** A fault is reported on the receive WQE in use, or by an event. */
export const report = seam((core: Core, qp: QueuePair, { wqe, status, event }: Refusal): void => {
  if (wqe === undefined) core.raise({ event_type: event, qp_num: qp.num });
  else completeRefused(core, qp, wqe, status);
});

export const completeRefused = seam(
  (core: Core, qp: QueuePair, { wr_id }: RecvWr, status: WcStatus): void => {
    core.complete(qp.recvCq, { wr_id, status, qp_num: qp.num });
  },
);

/** Refuses as an invalid request; the receive WQE of a SEND under way completes in error. */
export function refuseInvalid(core: Core, qp: QueuePair, psn: number, wqe?: RecvWr): void {
  const { message } = qp.responder;
  refuse(core, qp, {
    nak: 'invalid-request',
    psn,
    wqe: wqe ?? (message?.kind === 'send' ? message.wqe : undefined),
    status: 'IBV_WC_LOC_QP_OP_ERR',
    event: 'IBV_EVENT_QP_REQ_ERR',
  });
}

/** Refuses a request whose opcode does not go on with the message that is under way. */
export const refuseOutOfSequence = seam((core: Core, qp: QueuePair, psn: number): void => {
  refuseInvalid(core, qp, psn);
});

/** Refuses a packet of a wrong length. */
export const refuseLength = seam((core: Core, qp: QueuePair, psn: number, wqe?: RecvWqe): void => {
  refuseInvalid(core, qp, psn, wqe);
});

/** Refuses an operation that the QP does not allow. */
export const refuseDisabled = seam((core: Core, qp: QueuePair, psn: number): void => {
  refuseInvalid(core, qp, psn);
});

/** Refuses for memory that the request may not touch. */
export function refuseDenied(core: Core, qp: QueuePair, psn: number, wqe?: RecvWr): void {
  refuse(core, qp, {
    nak: 'remote-access-error',
    psn,
    wqe,
    status: 'IBV_WC_LOC_ACCESS_ERR',
    event: 'IBV_EVENT_QP_ACCESS_ERR',
  });
}

/** Refuses for a receive WQE that nothing can be received into, whatever comes. */
export const refuseMalformed = seam((core: Core, qp: QueuePair, psn: number, wqe: RecvWr): void => {
  refuse(core, qp, {
    nak: 'remote-operational-error',
    psn,
    wqe,
    status: 'IBV_WC_LOC_QP_OP_ERR',
    event: 'IBV_EVENT_QP_REQ_ERR',
  });
});
