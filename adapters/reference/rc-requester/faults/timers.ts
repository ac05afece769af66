import { ackTimeout } from '../../../../spec/constants.ts';
import { psnAdd } from '../../../../wire/index.ts';
import { faultsAt } from '../../seam.ts';
import { asks } from '../ask.ts';
import {
  awaitsAnswer,
  detectedAfter,
  isPaused,
  mustBeAnswered,
  noteAnswer,
  noteRequest,
  timeOut,
  timeoutCode,
  timeoutOf,
} from '../timers.ts';
import { goBack } from '../retry.ts';
import { endOfRnrWait, pauseAckTimer } from '../rnr.ts';
import type { RequesterState } from '../state.ts';
import { sendNewestAgain } from './memory.ts';

/** Code that stands for 0 where that is taken for some default. */
const defaultCode = 8;

const timedOut = new WeakSet<RequesterState>();
/** requesters that have sent again after an RNR wait, and got no answer since */
const resumed = new WeakSet<RequesterState>();

export const timerFaults = [
  faultsAt(asks, {
    'message-end-unasked': (sound, core, qp, wqe, psn, planned) =>
      sound(core, qp, wqe, psn, planned) &&
      (wqe.kind === 'read' || wqe.kind === 'atomic' || psn !== psnAdd(wqe.psn, wqe.packets - 1)),
  }),

  faultsAt(timeoutCode, {
    'ack-timer-missing': () => ackTimeout.off,
    'timeout-zero-fires': (sound, core, qp) => {
      const code = sound(core, qp);
      return code === ackTimeout.off ? Math.max(defaultCode, core.config.minTimeout) : code;
    },
    'min-timeout-not-raised': (_sound, _core, { attr }) => attr.timeout ?? ackTimeout.off,
  }),

  faultsAt(timeoutOf, {
    'timeout-linear': (_sound, _core, code) => ackTimeout.baseNanoseconds * code,
  }),

  faultsAt(detectedAfter, {
    'timeout-below-t': (_sound, _core, _qp, t) => t / 2,
    'timeout-above-4t': (_sound, _core, _qp, t) => t * 8,
    'timeout-backs-off': (_sound, _core, { attr, requester }, t) =>
      t * 2 * 2 ** ((attr.retry_cnt ?? 0) - requester.retriesLeft),
  }),

  faultsAt(mustBeAnswered, {
    'timer-ignores-reads': (sound, core, wqe, ackReq) => wqe.kind !== 'read' && sound(core, wqe, ackReq),
    'timer-ignores-atomics': (sound, core, wqe, ackReq) => wqe.kind !== 'atomic' && sound(core, wqe, ackReq),
    'timer-ignores-ackreq': (sound, core, wqe) => sound(core, wqe, false),
  }),

  faultsAt(noteAnswer, {
    'ack-timer-off-after-rnr-wait': (sound, core, qp, instant) => {
      resumed.delete(qp.requester);
      sound(core, qp, instant);
    },
    'timer-not-restarted-by-responses': (sound, core, qp, instant) => {
      if (!awaitsAnswer(qp.requester)) sound(core, qp, instant);
    },
    'timer-not-stopped': (sound, core, qp, instant) => {
      if (awaitsAnswer(qp.requester)) sound(core, qp, instant);
    },
  }),

  faultsAt(endOfRnrWait, {
    'ack-timer-off-after-rnr-wait': (sound, core, qp, wait) => {
      resumed.add(qp.requester);
      sound(core, qp, wait);
    },
  }),

  faultsAt(timeOut, {
    'ack-timer-off-after-rnr-wait': (sound, core, qp) => {
      if (!resumed.has(qp.requester)) sound(core, qp);
    },
    'ack-timer-once': (sound, core, qp) => {
      if (timedOut.has(qp.requester)) return;
      timedOut.add(qp.requester);
      sound(core, qp);
    },
    'ack-timer-off-in-sqd': (sound, core, qp) => {
      if (qp.state !== 'IBV_QPS_SQD') sound(core, qp);
    },
    'timer-not-stopped': sendNewestAgain,
    'failure-leaves-qp-in-rts': sendNewestAgain,
  }),

  // The ACK timer that goes on while the requester waits for the receiver, and ends that wait.
  faultsAt(isPaused, { 'timer-runs-in-rnr-wait': () => false }),

  faultsAt(pauseAckTimer, {
    'timer-runs-in-rnr-wait': (_sound, core, qp) => noteRequest(core, qp, core.arrival),
  }),

  faultsAt(goBack, {
    'timer-runs-in-rnr-wait': (sound, core, qp, psn, cause) => {
      qp.requester.rnrTimer?.cancel();
      qp.requester.rnrTimer = undefined;
      sound(core, qp, psn, cause);
    },
  }),
];
