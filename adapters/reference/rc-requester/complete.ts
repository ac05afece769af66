import type { Wc, WcOpcode, WcStatus, WrOpcode } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { noticeDrained } from './drain.ts';
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
  IBV_WR_LOCAL_INV: 'IBV_WC_LOCAL_INV',
  IBV_WR_BIND_MW: 'IBV_WC_BIND_MW',
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
  succeedAll(core, qp, passed);
  noticeDrained(core, qp);
  return passed.length;
}

/** The completions of requests that have been carried out, oldest first. */
export const succeedAll = seam((core: Core, qp: QueuePair, passed: readonly SendWqe[]): void => {
  for (const wqe of passed) succeed(core, qp, wqe);
});

/** The completion of a request that has been carried out, if it asked for one. */
export const succeed = seam((core: Core, qp: QueuePair, wqe: SendWqe): void => {
  if (wqe.signaled) core.complete(qp.sendCq, successOf(core, qp, wqe));
});

export const successOf = seam((_core: Core, qp: QueuePair, { wr, length }: SendWqe): Wc => ({
  wr_id: wr.wr_id,
  status: 'IBV_WC_SUCCESS',
  opcode: opcodes[wr.opcode],
  byte_len: length,
  qp_num: qp.num,
}));

/** The completion of a request that has failed, asked for or not. */
export const completeInError = seam((core: Core, qp: QueuePair, { wr }: SendWqe, status: WcStatus): void => {
  core.complete(qp.sendCq, { wr_id: wr.wr_id, status, qp_num: qp.num });
});

/** The oldest WQE ends with this status, the QP in ERR. */
export const failHead = seam((core: Core, qp: QueuePair, status: WcStatus): void => {
  const wqe = qp.requester.queue.shift();
  if (wqe !== undefined) completeInError(core, qp, wqe, status);
  core.fail(qp);
});
