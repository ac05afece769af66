import type { QueuePair } from '../device/qp.ts';
import type { OutOfOrderState } from './state.ts';

/** A QP that places packets out of order. */
export type OooQp = QueuePair & { readonly ooo: OutOfOrderState };

export function isOutOfOrder(qp: QueuePair): qp is OooQp {
  return qp.ooo !== undefined;
}
