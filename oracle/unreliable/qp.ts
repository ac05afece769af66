import type { Qp } from '../device/qp.ts';

export type UnreliableService = 'UC' | 'UD';

/** A QP of UC or UD. */
export type UnreliableQp = Qp & { readonly kind: UnreliableService };

export function isUnreliable(qp: Qp): qp is UnreliableQp {
  return qp.kind === 'UC' || qp.kind === 'UD';
}
