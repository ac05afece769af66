import type { QpState } from '../../../spec/verbs.ts';
import type { Fault } from '../attributes/faults.ts';

/** What becomes of a work request by the state of its QP; `held`: taken where nobody looks at it. */
export type Posted = 'taken' | 'refused' | 'flushed' | 'forgotten' | 'held';

/** ibv_post_send: an error before RTS, flushed in ERR and SQE. */
export function sendPosted(fault: Fault, state: QpState, signaled: boolean): Posted {
  switch (state) {
    case 'IBV_QPS_RTS':
      return fault === 'post-send-unsignaled-refused' && !signaled ? 'refused' : 'taken';
    case 'IBV_QPS_SQD':
      if (fault === 'post-send-refused-in-sqd') return 'refused';
      return fault === 'post-send-flushed-in-sqd' ? 'flushed' : 'taken';
    case 'IBV_QPS_ERR':
    case 'IBV_QPS_SQE':
      if (fault === 'post-in-error-ignored') return 'forgotten';
      if (fault === 'post-send-held-in-sqe' && state === 'IBV_QPS_SQE') return 'held';
      return fault === 'post-send-refused-in-err' ? 'refused' : 'flushed';
    case 'IBV_QPS_RTR':
      if (fault === 'post-send-kept-for-rts') return 'taken';
      return fault === 'post-send-before-rts' ? 'forgotten' : 'refused';
    case 'IBV_QPS_RESET':
    case 'IBV_QPS_INIT':
      return fault === 'post-send-before-rts' ? 'forgotten' : 'refused';
  }
}

/** ibv_post_recv: an error in RESET, flushed in ERR. */
export function receivePosted(fault: Fault, state: QpState): Posted {
  switch (state) {
    case 'IBV_QPS_RESET':
      return fault === 'post-recv-in-reset' ? 'forgotten' : 'refused';
    case 'IBV_QPS_INIT':
      return fault === 'post-recv-refused-in-init' ? 'refused' : 'taken';
    case 'IBV_QPS_SQD':
    case 'IBV_QPS_SQE':
      return fault === 'post-recv-refused-in-sqd' ? 'refused' : 'taken';
    case 'IBV_QPS_RTR':
    case 'IBV_QPS_RTS':
      return 'taken';
    case 'IBV_QPS_ERR':
      if (fault === 'post-recv-held-in-err') return 'held';
      return fault === 'post-recv-refused-in-err' ? 'refused' : 'flushed';
  }
}
