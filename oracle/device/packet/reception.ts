import type { QpChange } from '../listener.ts';

/** Whether ibv_modify_qp decides on packets to the QP that may be under way. */
export function changesReception({ to, attr }: QpChange): boolean {
  const { qkey, qp_access_flags, ah_attr, rq_psn, path_mtu } = attr;
  const begins = to === 'RESET' || to === 'ERR' || to === 'RTR';
  return begins || [qkey, qp_access_flags, ah_attr, rq_psn, path_mtu].some((value) => value !== undefined);
}
