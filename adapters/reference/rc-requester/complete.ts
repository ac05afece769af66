import type { Wc, WcOpcode, WcStatus, WrOpcode } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { schedule } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { packetAt } from './segment.ts';
import type { SendWqe } from './state.ts';

const opcodes: Record<WrOpcode, WcOpcode> = {
  IBV_WR_SEND: 'IBV_WC_SEND',
  IBV_WR_SEND_WITH_IMM: 'IBV_WC_SEND',
  IBV_WR_SEND_WITH_INV: 'IBV_WC_SEND',
  IBV_WR_RDMA_WRITE: 'IBV_WC_RDMA_WRITE',
  IBV_WR_RDMA_WRITE_WITH_IMM: 'IBV_WC_RDMA_WRITE',
  IBV_WR_RDMA_READ: 'IBV_WC_RDMA_READ',
  IBV_WR_ATOMIC_CMP_AND_SWP: 'IBV_WC_COMP_SWAP',
  IBV_WR_ATOMIC_FETCH_AND_ADD: 'IBV_WC_FETCH_ADD',
};

/** Completes, in order, what the oldest unacknowledged PSN has passed; gives how many that are. */
export function completePassed(core: Core, qp: QueuePair): number {
  const q = qp.requester;
  const passed: SendWqe[] = [];
  for (;;) {
    const wqe = q.queue[0];
    if (wqe === undefined || !wqe.launched) break;
    if (psnDiff(psnAdd(wqe.psn, wqe.packets), q.una) > 0) break;
    q.queue.shift();
    passed.push(wqe);
  }
  if (core.fault === 'completions-swapped') passed.reverse();
  for (const wqe of passed) {
    succeed(core, qp, wqe);
    if (core.fault === 'send-completion-doubled') succeed(core, qp, wqe);
  }
  if (core.fault === 'late-read-overwrites' || core.fault === 'late-atomic-overwrites')
    q.faulty.retired = [...q.faulty.retired, ...passed].slice(-4);
  noticeDrained(core, qp);
  return passed.length;
}

/** The completion of a request that has been carried out, if it asked for one. */
export function succeed(core: Core, qp: QueuePair, wqe: SendWqe): void {
  const { fault } = core;
  if (!wqe.signaled && fault !== 'unsignaled-completes') return;
  if (fault === 'send-completion-missing' && wqe.kind === 'read') return;
  const unreliable = qp.service !== 'RC';
  if (unreliable && fault === 'unreliable-completion-missing') return;
  const wc: Wc = {
    wr_id: wqe.wr.wr_id,
    status: 'IBV_WC_SUCCESS',
    opcode: fault === 'send-completion-opcode' ? 'IBV_WC_SEND' : opcodes[wqe.wr.opcode],
    byte_len: wqe.length,
    qp_num: fault === 'completion-of-other-qp' ? qp.destQp : qp.num,
  };
  core.complete(qp.sendCq, wc);
  if (unreliable && fault === 'unreliable-completion-doubled') core.complete(qp.sendCq, wc);
}

/** The status that a failed request completes with; a mutant reports another one. */
export function reportedAs({ fault }: Core, qp: QueuePair, status: WcStatus): WcStatus {
  if (fault === 'unreliable-retries-exceeded' && qp.service !== 'RC') return 'IBV_WC_RETRY_EXC_ERR';
  switch (status) {
    case 'IBV_WC_RETRY_EXC_ERR':
      return fault === 'retries-exceeded-as-abort' ? 'IBV_WC_REM_ABORT_ERR' : status;
    case 'IBV_WC_RNR_RETRY_EXC_ERR':
      return fault === 'status-unheard-of' ? 'IBV_WC_NOT_READY_ERR' : status;
    case 'IBV_WC_LOC_PROT_ERR':
      return fault === 'local-protection-status' ? 'IBV_WC_LOC_QP_OP_ERR' : status;
    case 'IBV_WC_LOC_LEN_ERR':
      if (fault === 'ud-long-status') return 'IBV_WC_LOC_PROT_ERR';
      return fault === 'long-request-status' ? 'IBV_WC_LOC_QP_OP_ERR' : status;
    default:
      return status;
  }
}

/** The oldest WQE ends with this status, the QP in ERR. */
export function failHead(core: Core, qp: QueuePair, status: WcStatus): void {
  const q = qp.requester;
  const { fault } = core;
  const wqe = q.queue.shift();
  if (wqe === undefined) {
    core.fail(qp);
    return;
  }
  // A mutant has no complaint.
  if (status === 'IBV_WC_SUCCESS') {
    succeed(core, qp, wqe);
    schedule(core, qp);
    return;
  }
  const again = fault === 'transmits-after-failure' ? packetAt(core, qp, wqe, wqe.psn) : undefined;
  const reported = fault === 'failed-request-succeeds' ? 'IBV_WC_SUCCESS' : reportedAs(core, qp, status);
  if (fault === 'failure-after-flush') core.fail(qp);
  if (fault !== 'unsignaled-failure-silent' || wqe.signaled) {
    const wc = { wr_id: wqe.wr.wr_id, status: reported, qp_num: qp.num } as const;
    core.complete(qp.sendCq, wc);
    if (fault === 'failure-completed-twice') core.complete(qp.sendCq, wc);
  }
  if (fault === 'failure-leaves-qp-in-rts') {
    q.una = wqe.launched ? psnAdd(wqe.psn, wqe.packets) : q.una;
    if (psnDiff(q.next, q.una) < 0) q.next = q.una;
    schedule(core, qp);
    return;
  }
  core.fail(qp);
  if (fault === 'rc-fault-in-sqe' && status.startsWith('IBV_WC_LOC_'))
    qp.state = qp.attr.qp_state = 'IBV_QPS_SQE';
  if (again !== undefined) core.transmit(qp, again);
}

/** True while a started WQE of an SQD queue is not finished. */
export function draining(qp: QueuePair): boolean {
  return qp.requester.queue[0]?.launched === true;
}

export function noticeDrained(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  const { fault } = core;
  if (qp.state !== 'IBV_QPS_SQD' || q.drainNotified) return;
  if (draining(qp) && fault !== 'drained-early') return;
  q.drainNotified = true;
  const asked = qp.attr.en_sqd_async_notify === true || fault === 'drained-unasked';
  if (!asked || fault === 'drained-missing') return;
  core.raise({ event_type: 'IBV_EVENT_SQ_DRAINED', qp_num: qp.num });
  if (fault === 'drained-repeated') core.raise({ event_type: 'IBV_EVENT_SQ_DRAINED', qp_num: qp.num });
}
