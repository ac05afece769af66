import { apply } from '../../attributes/modify.ts';
import { resumeAt } from '../../rc-requester/rnr.ts';
import { faultsAt } from '../../seam.ts';
import { reset } from '../reset.ts';

/** Calls of ibv_modify_qp, and an RNR NAK, that change more of a QP than they should, or less. */
export const callFaults = [
  faultsAt(apply, {
    'replays-dropped-by-rts': (sound, device, qp, attr) => {
      if (attr.sq_psn !== undefined) qp.responder.resources = [];
      sound(device, qp, attr);
    },
    'message-cut-by-rts': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      // only the way from RTR sets the first PSN
      if (attr.sq_psn !== undefined) qp.responder.message = undefined;
    },
    'nak-state-cleared-by-call': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (qp.state === 'IBV_QPS_RTS') qp.responder.waiting = undefined;
    },
    'replays-dropped-by-sqd': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (attr.qp_state === 'IBV_QPS_RTS' && attr.sq_psn === undefined) qp.responder.resources = [];
    },
    'message-cut-by-sqd': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (attr.qp_state === 'IBV_QPS_SQD') qp.responder.message = undefined;
    },
    'uc-message-cut-by-call': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (qp.service === 'UC') qp.responder.message = undefined;
    },
    'ooo-arrivals-dropped-by-call': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      qp.ooo?.responder.arrived.clear();
    },
    'ooo-answers-dropped-by-call': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      qp.ooo?.responder.answered.splice(0);
    },
    'retries-reloaded-by-call': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (attr.qp_state === undefined) qp.requester.retriesLeft = qp.attr.retry_cnt ?? 0;
    },
  }),

  faultsAt(resumeAt, {
    'retries-reloaded-by-rnr-nak': (sound, core, qp, psn) => {
      qp.requester.retriesLeft = qp.attr.retry_cnt ?? 0;
      return sound(core, qp, psn);
    },
  }),

  faultsAt(reset, {
    'alternate-path-survives-reset': (sound, device, qp) => {
      const { alt_ah_attr, alt_timeout, path_mig_state } = qp.attr;
      sound(device, qp);
      if (alt_ah_attr !== undefined) Object.assign(qp.attr, { alt_ah_attr, alt_timeout, path_mig_state });
    },
    'drained-of-former-life': (sound, device, qp) => {
      const { en_sqd_async_notify } = qp.attr;
      sound(device, qp);
      if (en_sqd_async_notify !== undefined) qp.attr.en_sqd_async_notify = en_sqd_async_notify;
    },
  }),
];
