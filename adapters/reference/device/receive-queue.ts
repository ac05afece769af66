import type { RecvWr } from '../../../spec/verbs.ts';

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
