import type { NakCode } from '../../../spec/constants.ts';
import type { EventType, RecvWr, WcStatus } from '../../../spec/verbs.ts';
import type { Core } from '../device/core.ts';
import type { MutantId } from '../mutant.ts';
import type { QueuePair } from '../device/qp.ts';
import { sendNak } from './reply.ts';

/** A request that ends the connection: what the peer is told, and how it is reported here. */
export interface Refusal {
  /** absent: the peer is told nothing */
  nak?: NakCode;
  psn: number;
  /** receive WQE in use, which then completes with `status` */
  wqe?: RecvWr | undefined;
  status: WcStatus;
  /** raised where no receive WQE is in use */
  event: EventType;
  /** which of the refusals of READs and ATOMICs it is */
  of?: 'resources' | 'misaligned';
}

/** NAK, report, QP to ERR; in this order, so that the NAK still leaves. */
export function refuse(core: Core, qp: QueuePair, refusal: Refusal): void {
  const { nak, psn, wqe, status, event } = refusal;
  if (nak !== undefined) sendNak(core, qp, nak, psn);
  qp.responder.message = undefined;
  if (core.fault === 'qp-survives-fatal-nak') return;
  const silent =
    core.fault === 'async-event-missing' ||
    (core.fault === 'resources-unreported' && refusal.of === 'resources') ||
    (core.fault === 'misaligned-unreported' && refusal.of === 'misaligned');
  const asEvent = core.fault === 'long-send-as-event' && status === 'IBV_WC_LOC_LEN_ERR';
  if (wqe !== undefined && !asEvent)
    core.complete(qp.recvCq, { wr_id: wqe.wr_id, status: statusOf(core, status), qp_num: qp.num });
  else if (!silent) core.raise({ event_type: event, qp_num: qp.num });
  if (wqe !== undefined && core.fault === 'fault-reported-twice')
    core.raise({ event_type: event, qp_num: qp.num });
  core.fail(qp);
}

const wrongStatus: Readonly<Partial<Record<MutantId, WcStatus>>> = {
  'too-long-status': 'IBV_WC_LOC_LEN_ERR',
  'local-memory-status': 'IBV_WC_LOC_PROT_ERR',
  'invalid-request-status': 'IBV_WC_LOC_QP_OP_ERR',
  'remote-access-status': 'IBV_WC_LOC_ACCESS_ERR',
};

/** What other mutants take one of the statuses for. */
const mistaken: Readonly<Partial<Record<MutantId, readonly [WcStatus, WcStatus]>>> = {
  'long-send-as-abort': ['IBV_WC_LOC_LEN_ERR', 'IBV_WC_REM_ABORT_ERR'],
  'receive-remote-operational': ['IBV_WC_LOC_PROT_ERR', 'IBV_WC_REM_OP_ERR'],
};

/** The status that the WQE completes with; a mutant says something vague instead of one of them. */
function statusOf({ fault }: Core, status: WcStatus): WcStatus {
  if (fault === undefined) return status;
  const [from, to] = mistaken[fault] ?? [];
  if (to !== undefined && from === status) return to;
  return wrongStatus[fault] === status ? 'IBV_WC_GENERAL_ERR' : status;
}

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

/** Refuses for a receive WQE that nothing can be received into, whatever comes. */
export function refuseMalformed(core: Core, qp: QueuePair, psn: number, wqe: RecvWr): void {
  refuse(core, qp, {
    nak: 'remote-operational-error',
    psn,
    wqe,
    status: 'IBV_WC_LOC_QP_OP_ERR',
    event: 'IBV_EVENT_QP_REQ_ERR',
  });
}
