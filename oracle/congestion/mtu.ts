import type { Qp } from '../device/qp.ts';

const largestMtu = 4096;

/** Bytes of payload that a packet of the QP may have. */
export function mtuOf({ pmtu }: Qp): number {
  return pmtu === 0 ? largestMtu : pmtu;
}
