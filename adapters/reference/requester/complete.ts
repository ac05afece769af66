import type { WcOpcode, WcStatus, WrOpcode } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../core.ts';
import type { QueuePair } from '../qp.ts';

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

/** Completes, in order, what the oldest unacknowledged PSN has passed. */
export function completePassed(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  for (;;) {
    const wqe = q.queue[0];
    if (wqe === undefined || !wqe.launched) break;
    if (psnDiff(psnAdd(wqe.psn, wqe.packets), q.una) > 0) break;
    q.queue.shift();
    if (wqe.signaled) {
      core.complete(qp.sendCq, {
        wr_id: wqe.wr.wr_id,
        status: 'IBV_WC_SUCCESS',
        opcode: opcodes[wqe.wr.opcode],
        byte_len: wqe.length,
        qp_num: qp.num,
      });
    }
  }
  noticeDrained(core, qp);
}

/** The oldest WQE ends with this status, the QP in ERR. */
export function failHead(core: Core, qp: QueuePair, status: WcStatus): void {
  const wqe = qp.requester.queue.shift();
  if (wqe !== undefined) core.complete(qp.sendCq, { wr_id: wqe.wr.wr_id, status, qp_num: qp.num });
  core.fail(qp);
}

/** True while a started WQE of an SQD queue is not finished. */
export function draining(qp: QueuePair): boolean {
  return qp.requester.queue[0]?.launched === true;
}

export function noticeDrained(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  if (qp.state !== 'IBV_QPS_SQD' || q.drainNotified || draining(qp)) return;
  q.drainNotified = true;
  if (qp.attr.en_sqd_async_notify === true) {
    core.raise({ event_type: 'IBV_EVENT_SQ_DRAINED', qp_num: qp.num });
  }
}
