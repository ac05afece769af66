import { migrate } from '../../path-migration/migration.ts';
import { isDrained } from '../../rc-requester/drain.ts';
import { spendRnrRetry } from '../../rc-requester/rnr.ts';
import { asksForEvent } from '../../rc-responder/receive.ts';
import { sendRnrNak } from '../../rc-responder/reply.ts';
import { remember } from '../../rc-responder/resources.ts';
import { faultsAt, type Varied } from '../../seam.ts';
import { abandon } from '../../unreliable/receive-fault.ts';
import { crossGap } from '../../unreliable/responder.ts';
import { flushReceives } from '../flush.ts';
import { die, spread } from '../overrun.ts';
import type { QueuePair } from '../qp.ts';
import { reset } from '../reset.ts';
import { isDevice } from './is-device.ts';

function others(core: Varied, qp: QueuePair): QueuePair[] {
  return isDevice(core) ? [...core.qps.values()].filter((one) => one !== qp) : [];
}

/** of the newest message of a device, whom it was for, and whether its sender asked for an event */
const newestMessage = new WeakMap<Varied, { destQp: number; solicited: boolean }>();

/** What is one for the device where each QP, or each CQ, has one of its own. */
export const apartFaults = [
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
];
