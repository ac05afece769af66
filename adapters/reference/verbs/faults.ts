import { VerbsError } from '../../adapter.ts';
import type { Core } from '../device/core.ts';
import type { Device } from '../device/device.ts';
import { limits } from '../device/limits.ts';
import { called } from '../device/pump.ts';
import type { Sge } from '../../../spec/verbs.ts';
import { resetQp, type QueuePair } from '../device/qp.ts';
import type { ReceiveQueue } from '../device/receive-queue.ts';
import { faultsAt } from '../seam.ts';
import { entriesAfter, entriesFor, holdsAll, isCqUsed } from './completion-queues.ts';
import { EINVAL } from './errno.ts';
import { accessAllowed, isPdUsed } from './memory-regions.ts';
import {
  dataOf,
  elementsOf,
  enqueue,
  flushPosted,
  inlineFits,
  isSignaled,
  named,
  postList,
  postUnused,
  receiveRoom,
  refusalOf,
  refusedFull,
  sendRoom,
} from './post.ts';
import { receivePosted, sendPosted } from './posting-states.ts';
import { isQpHeld, queried, roomFor } from './queue-pairs.ts';
import { badOpcode, listDefect, tooLong } from './send-request.ts';
import { isOffered, isSrqUsed, refusedChange, resizeShared, sharedRoomFor } from './shared-receive-queues.ts';
import { failsNow, raiseSrqError } from './srq-error.ts';
import { announceLimit, disarm, isBelowLimit, limitToTell, noticeLimit } from './srq-limit.ts';
import { deviceAttributes } from './verbs.ts';

/** local_ca_ack_delay where it is taken for a time in microseconds */
const ackDelayInMicroseconds = 66;

/** SRQs whose event has been raised */
const fired = new WeakSet<ReceiveQueue>();
/** the limit that an SRQ had when it was */
const before = new WeakMap<ReceiveQueue, number>();

/** QPs that a device which is posting a list has not looked at yet */
const unrung = new WeakMap<Core, Set<QueuePair>>();
/** lists that were posted to a send queue, by its place in it */
const sentLists = new WeakMap<QueuePair, readonly Sge[][]>();
/** the buffer that the inline data of a list go through */
const inlineBuffers = new WeakMap<Device, Uint8Array>();

/** What mutants do wrong in verbs. */
export const verbsFaults = [
  faultsAt(deviceAttributes, {
    'ack-delay-in-microseconds': (sound, device) => ({
      ...sound(device),
      local_ca_ack_delay: ackDelayInMicroseconds,
    }),
    'port-events-not-flagged': (sound, device) => ({ ...sound(device), port_active_event: false }),
  }),

  faultsAt(queried, {
    'retry-reported-as-error': (sound, device, qp) => {
      const attr = sound(device, qp);
      return qp.requester.recovering
        ? { ...attr, qp_state: 'IBV_QPS_ERR' as const, cur_qp_state: 'IBV_QPS_ERR' as const }
        : attr;
    },
  }),

  // posting

  faultsAt(sendPosted, {
    'post-send-unsignaled-refused': (sound, device, state, signaled) =>
      state === 'IBV_QPS_RTS' && !signaled ? 'refused' : sound(device, state, signaled),
    'post-send-refused-in-sqd': (sound, device, state, signaled) =>
      state === 'IBV_QPS_SQD' ? 'refused' : sound(device, state, signaled),
    'post-send-flushed-in-sqd': (sound, device, state, signaled) =>
      state === 'IBV_QPS_SQD' ? 'flushed' : sound(device, state, signaled),
    'post-in-error-ignored': (sound, device, state, signaled) =>
      state === 'IBV_QPS_ERR' || state === 'IBV_QPS_SQE' ? 'forgotten' : sound(device, state, signaled),
    'post-send-held-in-sqe': (sound, device, state, signaled) =>
      state === 'IBV_QPS_SQE' ? 'held' : sound(device, state, signaled),
    'post-send-refused-in-err': (sound, device, state, signaled) =>
      state === 'IBV_QPS_ERR' || state === 'IBV_QPS_SQE' ? 'refused' : sound(device, state, signaled),
    'post-send-kept-for-rts': (sound, device, state, signaled) =>
      state === 'IBV_QPS_RTR' ? 'taken' : sound(device, state, signaled),
    'post-send-before-rts': (sound, device, state, signaled) => {
      const posted = sound(device, state, signaled);
      return posted === 'refused' ? 'forgotten' : posted;
    },
  }),

  faultsAt(receivePosted, {
    'post-recv-in-reset': (sound, device, state) =>
      state === 'IBV_QPS_RESET' ? 'forgotten' : sound(device, state),
    'post-recv-refused-in-init': (sound, device, state) =>
      state === 'IBV_QPS_INIT' ? 'refused' : sound(device, state),
    'post-recv-refused-in-sqd': (sound, device, state) =>
      state === 'IBV_QPS_SQD' || state === 'IBV_QPS_SQE' ? 'refused' : sound(device, state),
    'post-recv-forgotten-in-sqe': (sound, device, state) =>
      state === 'IBV_QPS_SQE' ? 'forgotten' : sound(device, state),
    'post-recv-held-in-err': (sound, device, state) =>
      state === 'IBV_QPS_ERR' ? 'held' : sound(device, state),
    'post-recv-refused-in-err': (sound, device, state) =>
      state === 'IBV_QPS_ERR' ? 'refused' : sound(device, state),
  }),

  faultsAt(flushPosted, {
    'flushed-post-resets': (sound, device, qp, wrId) => {
      sound(device, qp, wrId);
      resetQp(qp);
    },
  }),

  faultsAt(sendRoom, { 'send-queue-overfilled': (sound, device, qp) => sound(device, qp) + 1 }),

  faultsAt(refusedFull, {
    'refused-post-fatal': (sound, device, qp) => {
      device.fail(qp);
      return sound(device, qp);
    },
  }),

  faultsAt(receiveRoom, {
    'receive-queue-overfilled': (sound, device, queue) =>
      sound(device, queue) + (queue.srq === undefined ? 1 : 0),
    'shared-queue-overfilled': (sound, device, queue) =>
      sound(device, queue) + (queue.srq === undefined ? 0 : 1),
  }),

  faultsAt(enqueue, {
    'receive-elements-taken': (sound, device, call, queue, wr) => {
      sound(device, call, queue, wr);
      const last = queue.wqes.at(-1);
      if (last?.malformed === true) queue.wqes.splice(-1, 1, { wr_id: last.wr_id, sg_list: last.sg_list });
    },
    'receive-at-limit-refused': (sound, device, call, queue, wr) => {
      const { length } = wr.sg_list;
      if (length > 1 && length === queue.maxSge) throw new VerbsError(call, EINVAL);
      sound(device, call, queue, wr);
    },
    'srq-error-survived': (sound, device, call, queue, wr) => {
      sound(device, call, queue, wr);
      if (failsNow(queue)) raiseSrqError(device, queue);
    },
    'shared-receive-refused': (sound, device, call, queue, wr) => {
      const failed = (qp: QueuePair): boolean => qp.receiveQueue === queue && qp.state === 'IBV_QPS_ERR';
      if (queue.srq !== undefined && [...device.qps.values()].some(failed))
        throw new VerbsError(call, EINVAL);
      sound(device, call, queue, wr);
    },
  }),

  faultsAt(isSignaled, {
    'signal-all-ignored': (_sound, _device, _qp, asked) => asked,
    'signal-all-inverts': (_sound, _device, { signalAll }, asked) => signalAll !== asked,
  }),

  faultsAt(inlineFits, {
    'much-inline-taken': () => true,
    'inline-at-limit-refused': (_sound, _device, { cap: { max_inline_data: most = 0 } }, bytes) =>
      bytes < most,
  }),

  faultsAt(postUnused, {
    'own-queue-before-srq': (_sound, _device, { receiveQueue }, { wr_id, sg_list }) => {
      receiveQueue.wqes.unshift({ wr_id, sg_list: sg_list.map((sge) => ({ ...sge })) });
    },
  }),

  faultsAt(postList, {
    'wr-list-unrung': (sound, device, posts) => {
      const waiting = new Set<QueuePair>();
      unrung.set(device, waiting);
      const refusal = refusalOf(() => {
        sound(device, posts);
      });
      unrung.delete(device);
      // where one is refused, no doorbell is rung for those in front of it
      if (refusal !== undefined) throw refusal;
      for (const qp of waiting) called(device, qp);
    },
    'wr-list-inline-shared': (sound, device, posts) => {
      inlineBuffers.set(device, new Uint8Array(limits.maxInline));
      sound(device, posts);
      inlineBuffers.delete(device);
    },
    'wr-list-first-alone': (sound, device, posts) => {
      sound(device, posts.slice(0, 1));
    },
    'wr-list-backwards': (sound, device, posts) => {
      sound(device, posts.toReversed());
    },
    'wr-list-goes-on': (sound, device, posts) => {
      const refusals = posts.map(refusalOf);
      const place = refusals.findIndex((refusal) => refusal !== undefined);
      const first = refusals[place];
      if (first !== undefined) throw new VerbsError(first.call, first.errno, place);
    },
  }),

  faultsAt(called, {
    'wr-list-unrung': (sound, core, qp) => {
      const waiting = unrung.get(core);
      if (waiting === undefined) sound(core, qp);
      else waiting.add(qp);
    },
  }),

  faultsAt(named, {
    'wr-list-names-first': (sound, device, refusal, _place, length) => sound(device, refusal, 0, length),
    'wr-list-names-next': (sound, device, refusal, place, length) =>
      sound(device, refusal, Math.min(place + 1, length - 1), length),
    'wr-list-names-none': (_sound, _device, { call, errno }) => new VerbsError(call, errno),
  }),

  faultsAt(elementsOf, {
    'first-key-for-all-elements': (sound, device, qp, wr) => {
      const list = sound(device, qp, wr);
      return list.map((sge) => ({ ...sge, lkey: list[0]?.lkey ?? sge.lkey }));
    },
    'send-elements-of-before': (sound, device, qp, wr) => {
      const own = sound(device, qp, wr);
      if (!wr.opcode.startsWith('IBV_WR_SEND')) return own;
      const newest = sentLists.get(qp) ?? [];
      const room = qp.cap.max_send_wr;
      const list = newest.length < room ? own : [...own, ...(newest[0] ?? []).slice(own.length)];
      sentLists.set(qp, [...newest, list].slice(-room));
      return list;
    },
    'elements-at-limit-refused': (sound, device, qp, wr) => {
      const { length } = wr.sg_list;
      if (length > 1 && length === qp.cap.max_send_sge) throw new VerbsError('post_send', EINVAL);
      return sound(device, qp, wr);
    },
    'many-elements-cut': (sound, device, qp, wr) => sound(device, qp, wr).slice(0, qp.cap.max_send_sge),
  }),

  faultsAt(dataOf, {
    'inline-data-late': () => undefined,
    'inline-first-element-zeroed': (sound, device, list, length) => {
      const data = sound(device, list, length);
      return list.length > 1 ? data?.fill(0, 0, list[0]?.length) : data;
    },
    'wr-list-inline-shared': (sound, device, list, length) => {
      const data = sound(device, list, length);
      const buffer = inlineBuffers.get(device);
      if (data === undefined || buffer === undefined) return data;
      buffer.set(data);
      return buffer.subarray(0, length);
    },
  }),

  faultsAt(badOpcode, {
    'bad-opcode-completes': () => 'IBV_WC_SUCCESS',
    'bad-opcode-status': () => 'IBV_WC_LOC_PROT_ERR',
  }),

  faultsAt(tooLong, { 'long-request-completes': () => 'IBV_WC_SUCCESS' }),

  faultsAt(listDefect, {
    'many-elements-cut': () => undefined,
    'many-elements-sent': () => undefined,
    'many-elements-status': (sound, device, qp, elements) =>
      sound(device, qp, elements) && 'IBV_WC_LOC_LEN_ERR',
    'second-element-fails': (_sound, _device, _qp, elements) =>
      elements > 1 ? 'IBV_WC_LOC_QP_OP_ERR' : undefined,
  }),

  // memory regions

  faultsAt(accessAllowed, {
    'remote-write-alone': (sound, device, access) =>
      access.includes('IBV_ACCESS_REMOTE_WRITE') || sound(device, access),
    'remote-atomic-alone': (sound, device, access) =>
      !access.includes('IBV_ACCESS_REMOTE_WRITE') || sound(device, access),
  }),

  // the end of objects

  faultsAt(isQpHeld, {
    'busy-qp-kept': (_sound, _device, { requester }) => requester.queue.length > 0,
    'failed-qp-kept': (_sound, _device, { state }) => state === 'IBV_QPS_ERR',
  }),
  faultsAt(isCqUsed, {
    'used-cq-destroyed': () => false,
    'failed-cq-kept': (sound, device, cq) => cq.failed || sound(device, cq),
  }),
  faultsAt(isSrqUsed, {
    'used-srq-destroyed': () => false,
    'srq-emptied-by-refused-destruction': (sound, device, queue) => {
      const used = sound(device, queue);
      if (used) queue.wqes = [];
      return used;
    },
    'filled-srq-kept': (sound, device, queue) => queue.wqes.length > 0 || sound(device, queue),
  }),
  faultsAt(isPdUsed, { 'pd-kept': () => true }),

  // room

  faultsAt(entriesFor, {
    'cq-made-smaller': (sound, device, asked) => Math.max(1, sound(device, asked) - 1),
  }),
  faultsAt(entriesAfter, {
    'cq-event-lost-by-resize': (sound, device, queue, asked) => {
      queue.armed = 'no';
      return sound(device, queue, asked);
    },
    'cq-resized-smaller': (sound, device, queue, asked) => Math.max(1, sound(device, queue, asked) - 1),
    'cq-resize-ignored': (_sound, _device, { capacity }) => capacity,
    'cq-resize-cuts': (sound, device, queue, asked) => {
      queue.entries.splice(asked);
      return sound(device, queue, asked);
    },
  }),
  faultsAt(holdsAll, {
    'cq-resize-cuts': () => true,
  }),
  faultsAt(roomFor, {
    'qp-made-smaller': (sound, device, asked) => {
      const room = sound(device, asked);
      return { ...room, max_recv_wr: Math.max(0, room.max_recv_wr - 1) };
    },
    'qp-made-with-fewer-elements': (sound, device, asked) => {
      const room = sound(device, asked);
      return { ...room, max_send_sge: Math.min(room.max_send_sge, 1) };
    },
  }),
  faultsAt(sharedRoomFor, {
    'srq-made-smaller': (sound, device, asked) => Math.max(1, sound(device, asked) - 1),
  }),

  // shared receive queues

  faultsAt(isOffered, {
    'srq-resized-anyway': () => true,
    'srq-limit-refused': (_sound, { config }) => config.srqResize,
  }),

  faultsAt(noticeLimit, {
    'srq-limit-once': (sound, core, queue) => {
      if (!fired.has(queue)) sound(core, queue);
    },
  }),

  faultsAt(refusedChange, {
    'srq-refused-resized': (sound, device, queue, capacity) => {
      if (capacity >= queue.wqes.length) queue.capacity = capacity;
      return sound(device, queue, capacity);
    },
  }),

  faultsAt(resizeShared, {
    'srq-limit-lost-by-resize': (sound, device, queue, capacity) => {
      sound(device, queue, capacity);
      queue.limit = 0;
    },
  }),

  faultsAt(isBelowLimit, {
    'srq-limit-one-missing': (sound, core, queue) => queue.limit !== 1 && sound(core, queue),
    'srq-limit-early': (_sound, _core, { wqes, limit }) => wqes.length <= limit,
    'srq-limit-late': (_sound, _core, { wqes, limit }) => wqes.length < limit - 1,
  }),

  faultsAt(disarm, {
    'srq-limit-repeated': () => undefined,
    'srq-limit-once': (sound, core, queue) => {
      fired.add(queue);
      sound(core, queue);
    },
    'srq-limit-of-size': (sound, core, queue) => {
      fired.add(queue);
      sound(core, queue);
    },
    'srq-limit-kept-after-event': (sound, core, queue) => {
      before.set(queue, queue.limit);
      sound(core, queue);
    },
  }),

  faultsAt(announceLimit, { 'srq-limit-missing': () => undefined }),

  faultsAt(limitToTell, {
    'srq-limit-not-told': () => 0,
    'srq-limit-of-size': (sound, core, queue) => {
      const limit = sound(core, queue);
      return limit === 0 && !fired.has(queue) ? queue.capacity : limit;
    },
    'srq-limit-kept-after-event': (sound, core, queue) => {
      const limit = sound(core, queue);
      return limit === 0 ? (before.get(queue) ?? 0) : limit;
    },
  }),
];
