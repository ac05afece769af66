import { opcodeByName } from '../../../../spec/constants.ts';
import type { WcStatus } from '../../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../../wire/index.ts';
import { scatter } from '../../device/memory/sge-list.ts';
import { completeInError, succeed } from '../../rc-requester/complete.ts';
import type { NakMeaning } from '../../rc-requester/nak.ts';
import { rnrWait } from '../../rc-requester/rnr.ts';
import { faultsAt } from '../../seam.ts';
import { countAnswer, dropRepeated, placeAnswer } from '../data.ts';
import {
  acknowledge,
  belongsTo,
  completeThrough,
  failRequest,
  isOld,
  isThrough,
  refusalOf,
  report,
  select,
  wasSent,
} from '../response.ts';
import { isFew, isOff, isOpen, isSpent, recover, timeoutOf } from '../timer.ts';

const sendOnly = opcodeByName('ORC_SEND_ONLY');

const mistaken = new Map<NakMeaning, WcStatus>([
  ['IBV_WC_REM_INV_REQ_ERR', 'IBV_WC_REM_ACCESS_ERR'],
  ['IBV_WC_REM_ACCESS_ERR', 'IBV_WC_REM_OP_ERR'],
  ['IBV_WC_REM_OP_ERR', 'IBV_WC_REM_INV_REQ_ERR'],
]);

export const answerFaults = [
  // data

  faultsAt(dropRepeated, {
    'ooo-answer-placed-again': (_sound, core, qp, { wqe }, { ooeth, payload }) => {
      scatter(core.memory, wqe.wr.sg_list, ooeth?.offset ?? 0, payload, qp.pd);
    },
  }),

  faultsAt(placeAnswer, {
    'ooo-answers-appended': (sound, core, qp, request, _offset, data) => {
      const at = (request.answers.length - request.missing) * qp.mtu;
      return sound(core, qp, request, at, data.subarray(0, request.wqe.length - at));
    },
  }),

  faultsAt(countAnswer, {
    'ooo-read-completes-with-last': (sound, core, request, index) => {
      sound(core, request, index);
      if (index === request.answers.length - 1) request.missing = 0;
    },
  }),

  // acknowledgements

  faultsAt(select, {
    'ooo-selection-acknowledges-all': (sound, core, qp, trigger) => {
      const { una, end } = qp.requester;
      const sent = psnDiff(trigger, una) >= 0 && psnDiff(trigger, end) < 0;
      const fresh = sound(core, qp, trigger);
      if (sent) acknowledge(qp, psnAdd(trigger, 1), undefined);
      return fresh;
    },
  }),

  faultsAt(isThrough, {
    'ooo-read-completes-with-ack': (sound, core, qp, request) => {
      const sent = request.flights.length >= request.wqe.packets;
      return (sent && psnDiff(qp.ooo.requester.msn, request.msn) >= 0) || sound(core, qp, request);
    },
    'ooo-selection-completes': (sound, core, qp, request) => {
      const sent = request.flights.length >= request.wqe.packets;
      const newest = request.flights.at(-1)?.acknowledged === true;
      return sent && newest ? request.missing === 0 : sound(core, qp, request);
    },
  }),

  // completions

  faultsAt(completeThrough, {
    // An empty SEND of its own asks, when there is nothing to send, whether the peer is still there.
    'ooo-unposted-sent': (sound, core, qp) => {
      sound(core, qp);
      const { queue, end } = qp.requester;
      if (queue.length > 0) return;
      const recvWqeSn = qp.ooo.requester.recvWqes;
      core.transmit(qp, {
        opcode: sendOnly,
        psn: end,
        ooeth: { flags: 1, recvWqeSn, readWqeSn: 0, offset: 0 },
      });
    },
    'ooo-completes-out-of-order': (sound, core, qp) => {
      sound(core, qp);
      const { outgoing } = qp.ooo.requester;
      const { queue } = qp.requester;
      const done = outgoing.filter(
        ({ flights, wqe, missing }) =>
          missing === 0 &&
          flights.length === wqe.packets &&
          flights.every(({ acknowledged }) => acknowledged),
      );
      for (const request of done) {
        outgoing.splice(outgoing.indexOf(request), 1);
        queue.splice(queue.indexOf(request.wqe), 1);
        succeed(core, qp, request.wqe);
      }
    },
  }),

  faultsAt(report, {
    'ooo-completion-missing': (sound, core, qp, wqe) => {
      if (wqe.packets === 1) sound(core, qp, wqe);
    },
    'ooo-unsignaled-completes': (sound, core, qp, wqe) => sound(core, qp, { ...wqe, signaled: true }),
    'ooo-completion-opcode': (sound, core, qp, wqe) =>
      sound(core, qp, { ...wqe, wr: { ...wqe.wr, opcode: 'IBV_WR_SEND' } }),
    'ooo-completion-doubled': (sound, core, qp, wqe) => {
      sound(core, qp, wqe);
      sound(core, qp, wqe);
    },
  }),

  // refusals

  faultsAt(refusalOf, {
    'ooo-refusal-status': (sound, core, code) => {
      const meaning = sound(core, code);
      return mistaken.get(meaning) ?? meaning;
    },
  }),

  faultsAt(isOld, {
    'ooo-old-nak-taken': (sound, core, qp, psn, kind) => kind !== 'nak' && sound(core, qp, psn, kind),
    'ooo-old-rnr-nak-taken': (sound, core, qp, psn, kind) => kind !== 'rnr-nak' && sound(core, qp, psn, kind),
  }),

  faultsAt(wasSent, { 'ooo-unsent-acknowledged': () => true }),

  faultsAt(failRequest, { 'ooo-refusal-ignored': () => undefined }),
  faultsAt(belongsTo, { 'ooo-refusal-at-once': () => true }),

  // the timer

  faultsAt(isOff, {
    'ooo-timer-missing': () => true,
    'ooo-timeout-zero-fires': () => false,
  }),

  faultsAt(isFew, {
    'ooo-few-includes-limit': (sound, core, packets) => sound(core, packets - 1),
    'ooo-few-excludes-last': (sound, core, packets) => sound(core, packets + 1),
  }),

  faultsAt(isOpen, {
    'ooo-acknowledged-reads-closed': (_sound, _core, _request, { acknowledged }) => !acknowledged,
  }),

  faultsAt(timeoutOf, {
    'ooo-timeout-always-high': (_sound, { config }) => config.outOfOrder.rto.high,
    'ooo-timeout-always-low': (_sound, { config }) => config.outOfOrder.rto.low,
    'ooo-timeout-slow': (sound, core, q) => sound(core, q) * 10,
    'ooo-timeout-halved': (sound, core, q) => sound(core, q) / 2,
  }),

  faultsAt(isSpent, {
    'ooo-never-gives-up': () => false,
    'ooo-gives-up-early': () => true,
  }),

  faultsAt(recover, {
    'ooo-lost-once': (sound, core, qp) => {
      const flights = qp.ooo.requester.outgoing.flatMap((request) => request.flights);
      const before = flights.filter(({ again }) => again);
      sound(core, qp);
      for (const flight of before) flight.again = true;
    },
    'ooo-timeout-goes-back': (sound, core, qp) => {
      for (const { flights } of qp.ooo.requester.outgoing)
        for (const flight of flights) if (!flight.acknowledged) flight.due = true;
      sound(core, qp);
    },
  }),

  faultsAt(rnrWait, {
    'ooo-rnr-wait-halved': (sound, core, qp, code) => sound(core, qp, code) / (qp.ooo === undefined ? 1 : 2),
  }),

  faultsAt(completeInError, {
    'ooo-retries-exhausted-status': (sound, core, qp, wqe, status) => {
      const wrong = status === 'IBV_WC_RETRY_EXC_ERR' && qp.ooo !== undefined;
      sound(core, qp, wqe, wrong ? 'IBV_WC_RNR_RETRY_EXC_ERR' : status);
    },
  }),
];
