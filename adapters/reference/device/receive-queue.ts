import type { RecvWr } from '../../../spec/verbs.ts';
import { seam, type Varied } from '../seam.ts';

/** A receive WQE; `malformed`: with a list that its queue has no room for. */
export interface RecvWqe extends RecvWr {
  readonly malformed?: true;
}

/** Receive WQEs, first in first out: the queue of one QP, or a shared one. */
export interface ReceiveQueue {
  wqes: RecvWqe[];
  readonly pd: number;
  capacity: number;
  maxSge: number;
  /** handle of the SRQ; absent for the queue of a QP */
  srq?: number;
  /** SRQ limit; 0 = not armed */
  limit: number;
}

export function makeReceiveQueue(pd: number, capacity: number, maxSge: number, srq?: number): ReceiveQueue {
  return { wqes: [], pd, capacity, maxSge, limit: 0, ...(srq === undefined ? {} : { srq }) };
}

/** PD of the memory that the receive WQEs of a QP name: that of their queue, which need not be that of the QP. */
export const receiveDomain = seam(
  (_core: Varied, qp: { readonly pd: number; readonly receiveQueue: ReceiveQueue }): number =>
    qp.receiveQueue.pd,
);
