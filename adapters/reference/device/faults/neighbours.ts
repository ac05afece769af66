import type { Clock } from '../../../adapter.ts';
import { restartTimer } from '../../congestion/increase.ts';
import type { LimiterState } from '../../congestion/limiter-state.ts';
import { react } from '../dispatch.ts';
import type { Core } from '../core.ts';
import { flushSends } from '../flush.ts';
import { schedule } from '../pump.ts';
import type { QueuePair } from '../qp.ts';
import { reset } from '../reset.ts';
import { belongsTo, findResource } from '../../rc-responder/duplicate.ts';
import { receiptOf } from '../../rc-responder/receive.ts';
import { endConnection } from '../../rc-responder/refuse.ts';
import { ackPacket, rnrTimer } from '../../rc-responder/reply.ts';
import { refuseAhead, takeExpected } from '../../rc-responder/responder.ts';
import { remember } from '../../rc-responder/resources.ts';
import type { Resource } from '../../rc-responder/state.ts';
import { failHead, successOf } from '../../rc-requester/complete.ts';
import { reloadRetries } from '../../rc-requester/progress.ts';
import { countRetry, isExhausted } from '../../rc-requester/retry.ts';
import { endOfRnrWait, rnrWait, waitForReceiver } from '../../rc-requester/rnr.ts';
import { stopAckTimer } from '../../rc-requester/state.ts';
import { windowOf } from '../../rc-requester/window.ts';
import { noteAnswer, timeoutCode } from '../../rc-requester/timers.ts';
import { rateWait } from '../../unreliable/requester.ts';
import { removeQp } from '../../verbs/queue-pairs.ts';
import { faultsAt, type Varied } from '../../seam.ts';
import { isDevice } from './is-device.ts';

/** The other QPs of the device, oldest first. */
function others(core: Varied, qp: QueuePair): QueuePair[] {
  return isDevice(core) ? [...core.qps.values()].filter((one) => one !== qp) : [];
}

function othersOfService(core: Core, qp: QueuePair): QueuePair[] {
  return others(core, qp).filter(({ service }) => service === qp.service);
}

/** The newest QP of the device that was given its ACK timeout, or its RNR timer. */
function newest(core: Core, qp: QueuePair, name: 'timeout' | 'min_rnr_timer'): QueuePair {
  return (
    [qp, ...others(core, qp)]
      .toSorted((a, b) => b.num - a.num)
      .find(({ attr }) => attr[name] !== undefined) ?? qp
  );
}

/** retries that were left when a QP was reset */
const leftBefore = new WeakMap<QueuePair, number>();

/** READs and ATOMICs that a device can answer again, newest first */
const replays = new WeakMap<Core, readonly Resource[]>();

/** limiters whose timer of increases has run */
const limiters = new WeakMap<Clock, Set<LimiterState>>();

/** sender of the newest datagram that a device received */
const newestSender = new WeakMap<Core, number>();

/** What mutants do to one QP because of another. */
export const neighbourFaults = [
  // timers and counters

  faultsAt(timeoutCode, {
    'ack-timeout-of-newest-qp': (sound, core, qp) => sound(core, newest(core, qp, 'timeout')),
  }),

  faultsAt(rnrTimer, {
    'rnr-timer-of-newest-qp': (sound, core, qp) => sound(core, newest(core, qp, 'min_rnr_timer')),
  }),

  faultsAt(waitForReceiver, {
    'rnr-wait-stops-all-qps': (sound, core, qp, psn, code, fail) => {
      sound(core, qp, psn, code, fail);
      if (qp.requester.rnrTimer === undefined) return;
      for (const one of others(core, qp)) {
        const q = one.requester;
        q.rnrTimer ??= core.clock.setTimer(rnrWait(core, qp, code), () => {
          q.rnrTimer = undefined;
          schedule(core, one);
        });
      }
    },
  }),

  faultsAt(endOfRnrWait, {
    'rnr-wait-of-one-ends-all': (sound, core, qp, wait) => {
      sound(core, qp, wait);
      for (const one of others(core, qp)) {
        const q = one.requester;
        if (q.rnrTimer === undefined) continue;
        q.rnrTimer.cancel();
        q.rnrTimer = undefined;
        sound(core, one, wait);
      }
    },
  }),

  faultsAt(windowOf, {
    'sqd-stops-all-qps': (sound, core, qp) =>
      others(core, qp).some(({ state }) => state === 'IBV_QPS_SQD') ? 0 : sound(core, qp),
  }),

  faultsAt(rateWait, {
    'neighbours-rate-waited-for': (sound, core, qp) =>
      Math.max(...[qp, ...others(core, qp)].map((one) => sound(core, one))),
  }),

  faultsAt(countRetry, {
    'retry-counted-for-all-qps': (sound, core, qp, cause) => {
      sound(core, qp, cause);
      for (const one of others(core, qp)) sound(core, one, cause);
    },
  }),

  faultsAt(reloadRetries, {
    'progress-reloads-all-qps': (sound, core, qp) => {
      sound(core, qp);
      for (const one of others(core, qp)) sound(core, one);
    },
  }),

  faultsAt(noteAnswer, {
    'answer-stops-timers-of-all-qps': (sound, core, qp, instant) => {
      sound(core, qp, instant);
      for (const { requester } of others(core, qp)) stopAckTimer(requester);
    },
  }),

  faultsAt(reset, {
    'gap-latch-cleared-by-reset-of-neighbour': (sound, core, qp) => {
      sound(core, qp);
      for (const { responder } of othersOfService(core, qp))
        if (responder.waiting === 'sequence') responder.waiting = undefined;
    },
    'retries-survive-reset': (sound, device, qp) => {
      leftBefore.set(qp, qp.requester.retriesLeft);
      sound(device, qp);
    },
    'reset-stops-timers-of-all-qps': (sound, device, qp) => {
      sound(device, qp);
      for (const { requester } of others(device, qp)) stopAckTimer(requester);
    },
    'msn-survives-reset': (sound, device, qp) => {
      const { msn } = qp.responder;
      sound(device, qp);
      qp.responder.msn = msn;
    },
  }),

  faultsAt(isExhausted, {
    'retries-survive-reset': (sound, core, qp) => {
      const left = leftBefore.get(qp);
      if (left !== undefined) qp.requester.retriesLeft = left;
      leftBefore.delete(qp);
      return sound(core, qp);
    },
  }),

  // sequence and latches

  faultsAt(takeExpected, {
    'epsn-moves-for-equal-qps': (sound, core, qp, packet) => {
      const { epsn } = qp.responder;
      sound(core, qp, packet);
      for (const { responder } of othersOfService(core, qp))
        if (responder.epsn === epsn) responder.epsn = qp.responder.epsn;
    },
    'gap-latch-cleared-by-neighbour': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      for (const { responder } of othersOfService(core, qp))
        if (responder.waiting === 'sequence') responder.waiting = undefined;
    },
  }),

  faultsAt(refuseAhead, {
    'gap-latch-for-all-qps': (sound, core, qp, packet) => {
      if (!others(core, qp).some(({ responder }) => responder.waiting !== undefined)) sound(core, qp, packet);
    },
  }),

  faultsAt(ackPacket, {
    'msn-of-neighbour': (sound, core, qp, psn) => {
      const fields = sound(core, qp, psn);
      const [one] = othersOfService(core, qp);
      return one === undefined || fields.aeth === undefined
        ? fields
        : { ...fields, aeth: { ...fields.aeth, msn: one.responder.msn } };
    },
  }),

  faultsAt(remember, {
    'replay-shared-by-qps': (sound, core, qp, resource) => {
      sound(core, qp, resource);
      const shared = replays.get(core) ?? [];
      replays.set(core, [resource, ...shared]);
    },
  }),

  faultsAt(findResource, {
    'replay-shared-by-qps': (_sound, core, _qp, psn) =>
      replays.get(core)?.find((entry) => belongsTo(psn, entry)),
  }),

  // completions and failures

  faultsAt(successOf, {
    'send-completion-names-neighbour': (sound, core, qp, wqe) => {
      const one = others(core, qp).find(({ sendCq }) => sendCq === qp.sendCq);
      return { ...sound(core, qp, wqe), ...(one !== undefined && { qp_num: one.num }) };
    },
    'send-completion-of-neighbour-wr': (sound, core, qp, wqe) => {
      const one = others(core, qp).find(
        ({ sendCq, requester }) => sendCq === qp.sendCq && requester.queue.length > 0,
      );
      const wr = one?.requester.queue[0]?.wr;
      return { ...sound(core, qp, wqe), ...(wr !== undefined && { wr_id: wr.wr_id }) };
    },
  }),

  faultsAt(receiptOf, {
    'receipt-names-neighbour': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const one = others(core, qp).find(({ recvCq }) => recvCq === qp.recvCq);
      return {
        ...sound(core, qp, packet, wqe, opcode, bytes),
        ...(one !== undefined && { qp_num: one.num }),
      };
    },
    'datagram-source-of-newest': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const wc = sound(core, qp, packet, wqe, opcode, bytes);
      const before = newestSender.get(core);
      if (packet.deth !== undefined) newestSender.set(core, packet.deth.srcQp);
      return before === undefined || wc.src_qp === undefined ? wc : { ...wc, src_qp: before };
    },
  }),

  faultsAt(failHead, {
    'failure-flushes-sends-of-all-qps': (sound, core, qp, status) => {
      sound(core, qp, status);
      for (const one of others(core, qp)) flushSends(core, one, one.requester.queue.splice(0));
    },
  }),

  faultsAt(endConnection, {
    'refusal-fails-all-qps': (sound, core, qp, refusal) => {
      sound(core, qp, refusal);
      for (const one of othersOfService(core, qp)) if (one.state === 'IBV_QPS_RTS') core.fail(one);
    },
  }),

  // congestion

  faultsAt(restartTimer, {
    'increase-timer-of-all-qps': (sound, limiter) => {
      sound(limiter);
      const { clock } = limiter.options;
      limiters.set(clock, (limiters.get(clock) ?? new Set()).add(limiter));
    },
  }),

  faultsAt(removeQp, {
    'destruction-cleans-cqs': (sound, device, qp) => {
      for (const cq of [qp.sendCq, qp.recvCq]) cq.entries = [];
      sound(device, qp);
    },
  }),

  faultsAt(react, {
    'increase-timer-of-all-qps': (sound, device, packet, named) => {
      sound(device, packet, named);
      if (named === undefined) return;
      for (const limiter of limiters.get(device.clock) ?? [])
        if (limiter.increaseTimer !== undefined) restartTimer(limiter);
    },
  }),

  faultsAt(react, {
    'cnp-cuts-all-qps': (sound, device, packet, named) => {
      sound(device, packet, named);
      if (named !== undefined) for (const one of others(device, named)) sound(device, packet, one);
    },
    'cnp-cuts-newest-qp': (sound, device, packet, named) => {
      sound(device, packet, named === undefined ? named : (others(device, named).at(-1) ?? named));
    },
  }),
];
