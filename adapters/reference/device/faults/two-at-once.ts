import { notify } from '../../cq-event/notification.ts';
import { answerDuplicate } from '../../rc-responder/duplicate.ts';
import { handleSequenceNak } from '../../rc-requester/nak.ts';
import { endOfRnrWait, pauseAckTimer, spendRnrRetry } from '../../rc-requester/rnr.ts';
import { stopAckTimer, type RequesterState } from '../../rc-requester/state.ts';
import { isPaused } from '../../rc-requester/timers.ts';
import { storeRead } from '../../rc-requester/data.ts';
import { sendSequenceNak, takeExpected } from '../../rc-responder/responder.ts';
import { faultsAt, type Varied } from '../../seam.ts';
import { isMrBound } from '../../verbs/memory-regions.ts';
import { qpNumber, removeQp } from '../../verbs/queue-pairs.ts';
import type { QueuePair } from '../qp.ts';
import { abandon } from '../../unreliable/receive-fault.ts';
import { asksForEvent } from '../../rc-responder/receive.ts';
import { crossGap } from '../../unreliable/responder.ts';
import { die, spread } from '../overrun.ts';
import { flushReceives } from '../flush.ts';
import { isDrained } from '../../rc-requester/drain.ts';
import { migrate } from '../../path-migration/migration.ts';
import { remember } from '../../rc-responder/resources.ts';
import { sendRnrNak } from '../../rc-responder/reply.ts';
import { disarm } from '../../verbs/srq-limit.ts';
import { react } from '../dispatch.ts';
import type { Memory } from '../memory/memory.ts';
import { grants } from '../memory/protection.ts';
import { enterCq, tell } from '../report.ts';
import { reset } from '../reset.ts';
import { isDevice } from './is-device.ts';

/** memories that forget the rights of the next access */
const shaken = new WeakSet<Memory>();
/** requesters whose ACK timer was stopped by an RNR wait */
const paused = new WeakSet<RequesterState>();

function others(core: Varied, qp: QueuePair): QueuePair[] {
  return isDevice(core) ? [...core.qps.values()].filter((one) => one !== qp) : [];
}

/** of the newest message of a device, whom it was for, and whether its sender asked for an event */
const newestMessage = new WeakMap<Varied, { destQp: number; solicited: boolean }>();

/** What goes wrong only where two QPs, two queues or two events meet. */
export const twoAtOnceFaults = [
  faultsAt(qpNumber, {
    'qp-number-twice': (sound, device) => {
      const [first] = device.qpByNumber.keys();
      return first ?? sound(device);
    },
  }),

  faultsAt(tell, {
    'event-of-no-qp': (sound, device, event) => {
      const { qp_num: number } = event;
      sound(device, number === undefined ? event : { ...event, qp_num: number + 0x1000 });
    },
  }),

  faultsAt(isMrBound, {
    'dereg-refuses-next-access': (sound, device, mr) => {
      if (device.qps.size > 1) shaken.add(device.memory);
      return sound(device, mr);
    },
  }),

  faultsAt(grants, {
    'dereg-refuses-next-access': (sound, memory, region, right) =>
      !shaken.delete(memory) && sound(memory, region, right),
  }),

  faultsAt(reset, {
    'reset-forgets-replays-of-neighbour': (sound, core, qp) => {
      sound(core, qp);
      if (isDevice(core)) for (const { responder } of core.qps.values()) responder.resources = [];
    },
  }),

  faultsAt(enterCq, {
    'failure-renames-completion-in-front': (sound, device, cq, wc, solicited) => {
      const front = cq.entries.at(-1);
      if (wc.status !== 'IBV_WC_SUCCESS' && front !== undefined && front.qp_num !== wc.qp_num)
        front.wr_id = wc.wr_id;
      sound(device, cq, wc, solicited);
    },
    'completion-of-id-zero-missing': (sound, device, cq, wc, solicited) => {
      if (wc.wr_id !== 0) sound(device, cq, wc, solicited);
    },
  }),

  faultsAt(disarm, {
    'srq-limit-disarms-all-srqs': (sound, core, queue) => {
      sound(core, queue);
      if (isDevice(core)) for (const one of core.srqs.values()) sound(core, one);
    },
  }),

  faultsAt(pauseAckTimer, {
    'ack-timer-lost-after-rnr-wait': (sound, core, qp) => {
      sound(core, qp);
      paused.add(qp.requester);
    },
  }),

  faultsAt(isPaused, {
    'ack-timer-lost-after-rnr-wait': (sound, core, requester) =>
      sound(core, requester) || paused.has(requester),
  }),

  faultsAt(handleSequenceNak, {
    'sequence-nak-ignored-in-sqd': (sound, core, qp, psn) => {
      if (qp.state !== 'IBV_QPS_SQD') sound(core, qp, psn);
    },
  }),

  faultsAt(react, {
    'cnp-ends-rnr-wait': (sound, device, packet, named) => {
      sound(device, packet, named);
      const q = named?.requester;
      if (named === undefined || q?.rnrTimer === undefined) return;
      q.rnrTimer.cancel();
      q.rnrTimer = undefined;
      endOfRnrWait(device, named, 0);
    },
  }),

  faultsAt(notify, {
    'notification-disarms-all-cqs': (sound, device, cq) => {
      for (const one of device.cqs.values()) one.armed = 'no';
      sound(device, cq);
    },
  }),

  faultsAt(answerDuplicate, {
    'duplicate-ends-not-ready': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      qp.responder.waiting = undefined;
    },
  }),

  faultsAt(removeQp, {
    'destruction-invalidates-all-windows': (sound, device, qp) => {
      sound(device, qp);
      const { windows } = device.memory;
      for (let mw = 1, window = windows.byHandle(mw); window !== undefined; window = windows.byHandle(++mw))
        window.opening = undefined;
    },
  }),

  // one for the device where each QP, or each CQ, has one of its own

  faultsAt(spendRnrRetry, {
    'rnr-retry-counted-for-all-qps': (sound, core, qp) => {
      for (const { requester } of others(core, qp)) if (requester.rnrLeft > 0) requester.rnrLeft--;
      return sound(core, qp);
    },
  }),

  faultsAt(isDrained, {
    'drained-when-all-queues-are': (sound, core, qp) =>
      sound(core, qp) && others(core, qp).every(({ requester }) => requester.queue.length === 0),
  }),

  faultsAt(migrate, {
    'migration-disarms-all-qps': (sound, core, qp) => {
      sound(core, qp);
      for (const { attr } of others(core, qp))
        if (attr.path_mig_state === 'IBV_MIG_ARMED') attr.path_mig_state = 'IBV_MIG_MIGRATED';
    },
  }),

  faultsAt(flushReceives, {
    'second-failed-qp-not-flushed': (sound, core, qp) => {
      const failed = others(core, qp).some((one) => one.recvCq === qp.recvCq && one.state === 'IBV_QPS_ERR');
      if (!failed) sound(core, qp);
    },
  }),

  faultsAt(spread, {
    'cq-error-fails-all-qps': (sound, device, cq) => {
      sound(device, cq);
      for (const qp of device.qps.values()) {
        if (qp.state !== 'IBV_QPS_RTS' && qp.state !== 'IBV_QPS_RTR') continue;
        device.raise({ event_type: 'IBV_EVENT_QP_FATAL', qp_num: qp.num });
        die(device, qp);
      }
    },
  }),

  faultsAt(asksForEvent, {
    'solicited-latch-of-neighbour': (sound, core, packet) => {
      const before = newestMessage.get(core);
      const solicited = sound(core, packet);
      newestMessage.set(core, { destQp: packet.destQp, solicited });
      return solicited || (before?.solicited === true && before.destQp !== packet.destQp);
    },
  }),

  faultsAt(crossGap, {
    'uc-gap-ends-all-messages': (sound, core, qp, packet) => {
      for (const one of others(core, qp)) if (one.service === 'UC') abandon(core, one);
      return sound(core, qp, packet);
    },
  }),

  faultsAt(remember, {
    'atomic-forgets-results-of-neighbours': (sound, core, qp, resource) => {
      sound(core, qp, resource);
      if (resource.kind !== 'atomic') return;
      for (const { responder } of others(core, qp))
        responder.resources = responder.resources.filter(({ kind }) => kind === 'read');
    },
  }),

  faultsAt(sendRnrNak, {
    'rnr-nak-for-one-qp-alone': (sound, core, qp, psn, timer) => {
      if (!others(core, qp).some(({ responder }) => responder.waiting === 'rnr')) sound(core, qp, psn, timer);
    },
  }),

  faultsAt(reset, {
    'reset-cleans-by-last-bit': (sound, core, qp) => {
      sound(core, qp);
      for (const cq of [qp.sendCq, qp.recvCq])
        cq.entries = cq.entries.filter((wc) => wc.qp_num === qp.num || wc.qp_num % 2 !== qp.num % 2);
    },
  }),

  faultsAt(sendSequenceNak, {
    'nak-psn-of-waiting-neighbour': (sound, core, qp, packet) => {
      const { responder } = qp;
      const one = others(core, qp).find(({ responder: { waiting } }) => waiting === 'sequence');
      const { epsn } = responder;
      if (one !== undefined) responder.epsn = one.responder.epsn;
      sound(core, qp, packet);
      responder.epsn = epsn;
    },
  }),

  faultsAt(takeExpected, {
    'request-stops-ack-timer': (sound, core, qp, packet) => {
      stopAckTimer(qp.requester);
      sound(core, qp, packet);
    },
  }),

  faultsAt(storeRead, {
    'read-data-to-neighbour': (sound, core, qp, wqe, packet) => {
      const other = others(core, qp)
        .filter(({ pd }) => pd === qp.pd)
        .map(({ requester }) => requester.queue[0])
        .find((one) => one?.kind === 'read' && one.launched && one.length === wqe.length);
      return sound(core, qp, other === undefined ? wqe : { ...wqe, wr: other.wr }, packet);
    },
  }),

  faultsAt(spread, {
    'qp-fatal-for-oldest-alone': (_sound, device, cq) => {
      const on = [...device.qps.values()].filter(({ sendCq, recvCq }) => sendCq === cq || recvCq === cq);
      for (const [i, qp] of on.entries()) {
        if (i === 0) device.raise({ event_type: 'IBV_EVENT_QP_FATAL', qp_num: qp.num });
        die(device, qp);
      }
    },
  }),

  faultsAt(removeQp, {
    'destruction-ends-waits-of-all': (sound, device, qp) => {
      sound(device, qp);
      for (const one of device.qps.values()) {
        const { requester: q } = one;
        if (q.rnrTimer === undefined) continue;
        q.rnrTimer.cancel();
        q.rnrTimer = undefined;
        one.pump();
      }
    },
  }),
];
