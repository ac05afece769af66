import { apply, enterSqd, fillCounters, refusal } from '../../attributes/modify.ts';
import { announceCompletion } from '../../cq-event/notification.ts';
import { migrate } from '../../path-migration/migration.ts';
import { completeInError } from '../../rc-requester/complete.ts';
import { readLengthFits } from '../../rc-requester/data.ts';
import { impliedNak } from '../../rc-requester/implied-nak.ts';
import { makeHeld } from '../../rc-responder/held.ts';
import { rnrTimer } from '../../rc-responder/reply.ts';
import { executeWrite } from '../../rc-responder/write.ts';
import { faultsAt } from '../../seam.ts';
import { reregisterFault } from '../../verbs/memory-regions.ts';
import { isOffered } from '../../verbs/shared-receive-queues.ts';
import { armLimit } from '../../verbs/srq-limit.ts';
import type { RequesterState } from '../../rc-requester/state.ts';
import type { Core } from '../core.ts';
import { endReceipts } from '../flush.ts';
import { covers, mayWrite } from '../memory/binding.ts';
import type { Region } from '../memory/region.ts';
import { changeRights } from '../memory/reregistration.ts';
import { pumped } from '../pump.ts';
import type { QueuePair } from '../qp.ts';

/** requesters that have sent again for an implied NAK */
const asked = new WeakSet<RequesterState>();
/** regions of which the newest call names the PD */
const onPd = new WeakSet<Region>();
/** min_rnr_timer of the first RNR NAK */
const latched = new WeakMap<QueuePair, number>();
/** devices whose newest ibv_modify_srq asks for a size as well */
const resizes = new WeakSet<Core>();
/** send queues that were to be looked at when another QP went to SQD */
const forgotten = new WeakSet<RequesterState>();

/** Faults of what changes in use, comes a second time, or has a length or right of its own. */
export const inUseFaults = [
  faultsAt(impliedNak, {
    'implied-nak-once-in-a-life': (sound, core, qp, psn) => {
      if (asked.has(qp.requester)) return;
      asked.add(qp.requester);
      sound(core, qp, psn);
    },
  }),

  faultsAt(readLengthFits, {
    // the others have the path MTU
    'short-last-response-taken': (sound, core, length, expected) =>
      sound(core, length, expected) || (length < expected && expected % 256 > 0),
  }),

  faultsAt(executeWrite, {
    'empty-write-without-right': (sound, core, qp, packet, position, immediate) => {
      const { access } = qp;
      if (packet.payloadLength === 0) qp.access = [...access, 'IBV_ACCESS_REMOTE_WRITE'];
      sound(core, qp, packet, position, immediate);
      if (packet.payloadLength === 0) qp.access = access;
    },
  }),

  faultsAt(endReceipts, {
    'uc-begun-receive-not-flushed': (sound, core, qp, begun) => {
      sound(core, qp, qp.service === 'UC' ? [] : begun);
    },
  }),

  faultsAt(migrate, {
    'migration-keeps-traffic-class': (sound, core, qp) => {
      const { trafficClass = 0 } = qp.remote ?? {};
      sound(core, qp);
      if (qp.remote !== undefined) qp.remote = { ...qp.remote, trafficClass };
    },
  }),

  faultsAt(announceCompletion, {
    'solicited-arm-lost': (sound, device, cq, wc, solicited) => {
      sound(device, cq, wc, solicited);
      if (cq.armed === 'solicited') cq.armed = 'no';
    },
  }),

  faultsAt(completeInError, {
    'failed-send-unsolicited': (sound, core, qp, wqe, status) => {
      const { armed } = qp.sendCq;
      if (armed === 'solicited') qp.sendCq.armed = 'no';
      sound(core, qp, wqe, status);
      if (armed === 'solicited') qp.sendCq.armed = armed;
    },
  }),

  faultsAt(mayWrite, {
    'window-atomic-without-local-write': (sound, memory, region, access) =>
      !access.includes('IBV_ACCESS_REMOTE_WRITE') || sound(memory, region, access),
  }),

  faultsAt(covers, {
    'window-end-by-first-bytes': (sound, memory, opening, va, length) =>
      sound(memory, opening, va, Math.min(length, 256)),
  }),

  faultsAt(reregisterFault, {
    'rereg-rights-lost-with-pd': (sound, device, mr, change) => {
      const region = device.memory.byHandle(mr);
      if (region !== undefined && change.pd !== undefined) onPd.add(region);
      else if (region !== undefined) onPd.delete(region);
      return sound(device, mr, change);
    },
  }),

  faultsAt(changeRights, {
    'rereg-rights-lost-with-pd': (sound, memory, region, access) => {
      if (!onPd.has(region)) sound(memory, region, access);
    },
  }),

  faultsAt(rnrTimer, {
    'rnr-timer-latched': (sound, core, qp) => {
      const first = latched.get(qp) ?? sound(core, qp);
      latched.set(qp, first);
      return first;
    },
  }),

  faultsAt(fillCounters, {
    'rnr-retries-not-raised': (sound, device, qp, attr) => {
      const { rnrLeft } = qp.requester;
      sound(device, qp, attr);
      if (rnrLeft > 0) qp.requester.rnrLeft = Math.min(rnrLeft, qp.requester.rnrLeft);
    },
  }),

  faultsAt(apply, {
    'rights-kept-within-message': (sound, device, qp, attr) => {
      const { access } = qp;
      sound(device, qp, attr);
      if (qp.responder.message !== undefined) qp.access = access;
    },
  }),

  faultsAt(refusal, {
    'refused-call-sets-rights': (sound, device, qp, { qp_access_flags: rights, ...rest }) => {
      if (rights !== undefined) qp.access = [...rights];
      return sound(device, qp, rest);
    },
  }),

  faultsAt(isOffered, {
    'srq-limit-lost-with-size': (sound, device, attr) => {
      if (attr.max_wr === undefined) resizes.delete(device);
      else resizes.add(device);
      return sound(device, attr);
    },
  }),

  faultsAt(armLimit, {
    'srq-limit-lost-with-size': (sound, core, queue, limit) => {
      if (!resizes.has(core)) sound(core, queue, limit);
    },
  }),

  faultsAt(enterSqd, {
    'sqd-drops-held-answers': (sound, device, qp) => {
      sound(device, qp);
      for (const { responder } of device.qps.values()) {
        if (responder === qp.responder) continue;
        responder.held.timer?.cancel();
        responder.held = makeHeld();
      }
    },
    'sqd-forgets-resend': (sound, device, qp) => {
      sound(device, qp);
      for (const { requester } of device.qps.values())
        if (requester !== qp.requester && requester.recovering && requester.scheduled)
          forgotten.add(requester);
    },
  }),

  faultsAt(pumped, {
    'sqd-forgets-resend': (sound, core, qp) => {
      if (!forgotten.delete(qp.requester)) sound(core, qp);
    },
  }),
];
