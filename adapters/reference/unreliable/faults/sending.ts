import { apply } from '../../attributes/modify.ts';
import type { Core } from '../../device/core.ts';
import { flushReceives } from '../../device/flush.ts';
import type { Fields } from '../../device/headers.ts';
import { schedule } from '../../device/pump.ts';
import type { QueuePair } from '../../device/qp.ts';
import { psnAdd, psnDiff } from '../../../../wire/index.ts';
import { completeInError, succeed } from '../../rc-requester/complete.ts';
import { begin } from '../../rc-requester/launch.ts';
import { packetAt } from '../../rc-requester/segment.ts';
import type { SendWqe } from '../../rc-requester/state.ts';
import { faultsAt } from '../../seam.ts';
import {
  failSendQueue,
  finish,
  flushBehind,
  nextRequest,
  rateWait,
  sendOnce,
  vanishes,
} from '../requester.ts';

/** Nanoseconds until a message is sent once more. */
const patience = 20_000;

/** where a QP sent its newest datagram */
const latest = new WeakMap<QueuePair, number>();
/** what a QP holds back until the next packet of the message has left */
const heldBack = new WeakMap<QueuePair, Fields>();
/** QPs in SQE */
const failed = new WeakSet<QueuePair>();
/** the packet that a QP sent last */
const newest = new WeakMap<QueuePair, Fields>();

type Sending = (core: Core, qp: QueuePair, wqe: SendWqe, fields: Fields) => void;

function remember(sound: Sending, core: Core, qp: QueuePair, wqe: SendWqe, fields: Fields): void {
  sound(core, qp, wqe, fields);
  newest.set(qp, fields);
}

type Vanishing = (core: Core, qp: QueuePair, wqe: SendWqe) => boolean;

/** What cannot be carried out, and is not complained of, is never sent. */
function vanishing(sound: Vanishing, core: Core, qp: QueuePair, wqe: SendWqe): boolean {
  return wqe.defect === 'IBV_WC_SUCCESS' || sound(core, qp, wqe);
}

export const sendingFaults = [
  faultsAt(nextRequest, {
    'uc-message-halts-in-sqd': (sound, core, qp) =>
      qp.service === 'UC' && qp.state === 'IBV_QPS_SQD' ? undefined : sound(core, qp),
    'unreliable-newest-first': (sound, core, qp) => {
      const { queue } = qp.requester;
      if (queue[0]?.launched === false) queue.reverse();
      return sound(core, qp);
    },
    'unreliable-unsignaled-not-sent': (sound, core, qp) => {
      qp.requester.queue = qp.requester.queue.filter(({ signaled }) => signaled);
      return sound(core, qp);
    },
    // A request that waits for its QP to leave SQD.
    'sqd-request-completes': (sound, core, qp) => {
      const { queue } = qp.requester;
      for (let wqe = queue[0]; wqe?.launched === false; wqe = queue[0]) {
        if (qp.state !== 'IBV_QPS_SQD' || rateWait(core, qp) > 0) break;
        queue.shift();
        succeed(core, qp, wqe);
      }
      return sound(core, qp);
    },
  }),

  faultsAt(rateWait, {
    'rate-not-heeded-by-datagrams': (sound, core, qp) => (qp.service === 'UD' ? 0 : sound(core, qp)),
  }),

  faultsAt(begin, {
    'unreliable-psn-skipped': (sound, core, qp, wqe) => {
      if (qp.service !== 'RC') qp.requester.next = psnAdd(qp.requester.next, 1);
      return sound(core, qp, wqe);
    },
    'unreliable-psn-repeated': (sound, core, qp, wqe) => {
      if (qp.service !== 'RC') qp.requester.next = psnAdd(qp.requester.next, -1);
      return sound(core, qp, wqe);
    },
  }),

  faultsAt(vanishes, {
    'ud-long-split': () => false,
    'bad-opcode-completes': vanishing,
    'long-request-completes': vanishing,
  }),

  faultsAt(sendOnce, {
    'uc-middle-left-out': (sound, core, qp, wqe, fields) => {
      const index = psnDiff(fields.psn, wqe.psn);
      if (index === 0 || index === wqe.packets - 1) sound(core, qp, wqe, fields);
    },
    'uc-sends-to-itself': (sound, core, qp, wqe, fields) => {
      const { remote, num: destQp, srcPort } = qp;
      if (wqe.to === undefined) core.transmit(qp, fields, { remote, destQp, srcPort });
      else sound(core, qp, wqe, fields);
    },
    'ud-number-of-last': (sound, core, qp, wqe, fields) => {
      if (wqe.to === undefined) {
        sound(core, qp, wqe, fields);
        return;
      }
      const destQp = latest.get(qp) ?? qp.num;
      latest.set(qp, wqe.to.destQp);
      core.transmit(qp, fields, { ...wqe.to, destQp });
    },
    // Every other packet leaves behind the one that follows it in the message.
    'uc-packets-swapped': (_sound, core, qp, wqe, fields) => {
      const held = heldBack.get(qp);
      heldBack.delete(qp);
      const last = psnDiff(fields.psn, wqe.psn) === wqe.packets - 1;
      if (held === undefined && !last) heldBack.set(qp, fields);
      else core.transmit(qp, fields, wqe.to);
      if (held !== undefined) core.transmit(qp, held, wqe.to);
    },
    'unreliable-sends-again-anew': remember,
    'uc-retransmits': remember,
  }),

  faultsAt(finish, {
    'unreliable-sends-again-anew': (sound, core, qp, wqe) => {
      sound(core, qp, wqe);
      const q = qp.requester;
      const fields = newest.get(qp);
      if (fields !== undefined) core.transmit(qp, { ...fields, psn: q.next }, wqe.to);
      q.next = q.end = q.una = psnAdd(q.next, 1);
    },
    'uc-retransmits': (sound, core, qp, wqe) => {
      sound(core, qp, wqe);
      const q = qp.requester;
      const fields = newest.get(qp);
      if (qp.service !== 'UC' || fields === undefined) return;
      core.clock.setTimer(patience, () => {
        if (qp.requester === q) core.transmit(qp, fields, wqe.to);
      });
    },
  }),

  faultsAt(completeInError, {
    'local-fault-unreported': (sound, core, qp, wqe, status) => {
      if (wqe.signaled || qp.service === 'RC') sound(core, qp, wqe, status);
    },
    'fatal-status-in-sqe': (sound, core, qp, wqe, status) => {
      sound(core, qp, wqe, qp.service === 'RC' ? status : 'IBV_WC_FATAL_ERR');
    },
  }),

  faultsAt(apply, {
    'sqe-psn-restarts': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (!failed.delete(qp)) return;
      const q = qp.requester;
      q.una = q.next = q.end = qp.attr.sq_psn ?? 0;
    },
  }),

  faultsAt(failSendQueue, {
    'sqe-psn-restarts': (sound, core, qp, status) => {
      sound(core, qp, status);
      failed.add(qp);
    },
    'local-fault-in-rts': (_sound, core, qp, status) => {
      const wqe = qp.requester.queue.shift();
      if (wqe !== undefined) completeInError(core, qp, wqe, status);
      schedule(core, qp);
    },
    'sqe-flush-before': (_sound, core, qp, status) => {
      const [wqe, ...behind] = qp.requester.queue.splice(0);
      qp.state = qp.attr.qp_state = 'IBV_QPS_SQE';
      flushBehind(core, qp, behind);
      if (wqe !== undefined) completeInError(core, qp, wqe, status);
    },
    'sqe-flushes-receives': (sound, core, qp, status) => {
      sound(core, qp, status);
      flushReceives(core, qp);
    },
    'local-fault-in-err': (sound, core, qp, status) => {
      sound(core, qp, status);
      core.fail(qp);
    },
    'unreliable-sends-after-failure': (sound, core, qp, status) => {
      const [, next] = qp.requester.queue;
      sound(core, qp, status);
      const psn = qp.requester.next;
      if (next === undefined || next.defect !== undefined) return;
      const fields = packetAt(core, qp, { ...next, psn, packets: 1 }, psn);
      if (fields !== undefined) core.transmit(qp, fields, next.to);
    },
  }),

  faultsAt(flushBehind, { 'sqe-flush-missing': () => undefined }),
];
