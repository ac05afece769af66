import { notify } from '../../cq-event/notification.ts';
import { answerDuplicate } from '../../rc-responder/duplicate.ts';
import { handleSequenceNak } from '../../rc-requester/nak.ts';
import { endOfRnrWait, pauseAckTimer } from '../../rc-requester/rnr.ts';
import type { RequesterState } from '../../rc-requester/state.ts';
import { isPaused } from '../../rc-requester/timers.ts';
import { faultsAt } from '../../seam.ts';
import { isMrBound } from '../../verbs/memory-regions.ts';
import { qpNumber, removeQp } from '../../verbs/queue-pairs.ts';
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
];
