import type { QpState } from '../../../spec/verbs.ts';
import { seam, type Varied } from '../seam.ts';

/** What becomes of a work request by the state of its QP; `held`: taken where nobody looks at it. */
export type Posted = 'taken' | 'refused' | 'flushed' | 'forgotten' | 'held';

const sends: Readonly<Record<QpState, Posted>> = {
  IBV_QPS_RESET: 'refused',
  IBV_QPS_INIT: 'refused',
  IBV_QPS_RTR: 'refused',
  IBV_QPS_RTS: 'taken',
  IBV_QPS_SQD: 'taken',
  IBV_QPS_SQE: 'flushed',
  IBV_QPS_ERR: 'flushed',
};

const receives: Readonly<Record<QpState, Posted>> = {
  IBV_QPS_RESET: 'refused',
  IBV_QPS_INIT: 'taken',
  IBV_QPS_RTR: 'taken',
  IBV_QPS_RTS: 'taken',
  IBV_QPS_SQD: 'taken',
  IBV_QPS_SQE: 'taken',
  IBV_QPS_ERR: 'flushed',
};

/** ibv_post_send: an error before RTS, flushed in ERR and SQE. */
export const sendPosted = seam((_device: Varied, state: QpState, _signaled: boolean): Posted => sends[state]);

/** ibv_post_recv: an error in RESET, flushed in ERR. */
export const receivePosted = seam((_device: Varied, state: QpState): Posted => receives[state]);
