import type { Sge } from '../../../../spec/verbs.ts';
import { faultsAt } from '../../seam.ts';
import { enqueue } from '../../verbs/post.ts';
import type { CompletionQueue } from '../cq.ts';
import { die, overrun, raiseCqError, spread } from '../overrun.ts';
import type { QueuePair } from '../qp.ts';
import type { ReceiveQueue } from '../receive-queue.ts';
import { enterCq } from '../report.ts';
import {
  announceLast,
  endReceipts,
  endReceiving,
  flushed,
  flushReceives,
  flushSends,
  raiseLast,
} from '../flush.ts';

/** completions that a CQ was given */
const entered = new WeakMap<CompletionQueue, number>();
/** CQs that have overflowed before */
const overflowed = new WeakSet<CompletionQueue>();
/** QPs that have let go of their SRQ before */
const released = new WeakSet<QueuePair>();

/** lists that were posted to a receive queue, by its place in it */
const lists = new WeakMap<ReceiveQueue, readonly Sge[][]>();

export const queueFaults = [
  faultsAt(enqueue, {
    'receive-elements-of-before': (sound, device, call, queue, wr) => {
      const newest = lists.get(queue) ?? [];
      const before = newest.length < queue.capacity ? [] : (newest[0] ?? []);
      const sg_list = [...wr.sg_list, ...before.slice(wr.sg_list.length)];
      sound(device, call, queue, { ...wr, sg_list });
      lists.set(queue, [...newest, sg_list].slice(-queue.capacity));
    },
  }),

  faultsAt(overrun, {
    'cq-overflow-silent': () => undefined,
    'cq-overflow-survived': (_sound, device, cq) => {
      if (overflowed.has(cq)) return;
      overflowed.add(cq);
      raiseCqError(device, cq);
    },
  }),

  faultsAt(enterCq, {
    'wr-id-32-bits': (sound, device, cq, wc, solicited) => {
      sound(device, cq, { ...wc, wr_id: wc.wr_id % 2 ** 32 }, solicited);
    },
    // the consumer takes the owner bit of the first round for that of the third
    'cq-ring-skips-entry': (sound, device, cq, wc, solicited) => {
      const place = (entered.get(cq) ?? 0) + 1;
      entered.set(cq, place);
      if (place !== 2 * cq.capacity + 1) sound(device, cq, wc, solicited);
    },
  }),

  faultsAt(spread, {
    'cq-error-not-spread': () => undefined,
    'cq-error-fails-senders-only': (_sound, device, cq) => {
      for (const qp of device.qps.values()) {
        if (qp.sendCq !== cq) continue;
        device.raise({ event_type: 'IBV_EVENT_QP_FATAL', qp_num: qp.num });
        die(device, qp);
      }
    },
  }),
  faultsAt(die, { 'fatal-event-state-kept': () => undefined }),

  // flushing

  faultsAt(endReceipts, {
    'begun-receive-flushed-last': (_sound, core, qp, begun) => {
      endReceiving(core, qp);
      for (const wrId of begun) flushed(core, qp, 'recv', wrId);
    },
    'last-wqe-early': (sound, core, qp, begun) => {
      if (qp.receiveQueue.srq === undefined || begun.length === 0) return sound(core, qp, begun);
      endReceiving(core, qp);
      core.clock.setTimer(8000, () => {
        for (const wrId of begun) flushed(core, qp, 'recv', wrId);
      });
    },
  }),

  faultsAt(endReceiving, {
    'shared-queue-flushed': (_sound, core, qp) => {
      flushReceives(core, qp);
      if (qp.receiveQueue.srq !== undefined) announceLast(core, qp);
    },
    'last-wqe-without-srq': (_sound, core, qp) => {
      if (qp.receiveQueue.srq === undefined) flushReceives(core, qp);
      announceLast(core, qp);
    },
  }),

  faultsAt(flushReceives, {
    'receive-queue-not-flushed': (_sound, _core, { receiveQueue }) => {
      receiveQueue.wqes.length = 0;
    },
  }),

  faultsAt(announceLast, {
    'last-wqe-missing': () => undefined,
    'last-wqe-repeated': (sound, core, qp) => {
      if (!qp.lastWqe) raiseLast(core, qp);
      sound(core, qp);
    },
    'last-wqe-once': (sound, core, qp) => {
      if (!released.has(qp)) sound(core, qp);
      released.add(qp);
    },
  }),

  faultsAt(flushSends, {
    'flush-reversed': (sound, core, qp, left) => sound(core, qp, left.toReversed()),
    'send-queue-not-flushed': () => undefined,
  }),

  faultsAt(flushed, {
    'flush-status': (sound, core, qp, queue, wrId) => {
      if (queue === 'send')
        core.complete(qp.sendCq, { wr_id: wrId, status: 'IBV_WC_GENERAL_ERR', qp_num: qp.num });
      else sound(core, qp, queue, wrId);
    },
  }),
];
