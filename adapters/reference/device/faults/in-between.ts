import type { Sge } from '../../../../spec/verbs.ts';
import { psnDiff } from '../../../../wire/index.ts';
import { failHead } from '../../rc-requester/complete.ts';
import { readSlots, takesReadSlot } from '../../rc-requester/launch.ts';
import { messagePacket } from '../../rc-requester/segment.ts';
import { findResource } from '../../rc-responder/duplicate.ts';
import { endConnection } from '../../rc-responder/refuse.ts';
import { faultsAt } from '../../seam.ts';
import { elementsOf, enqueue, flushPosted, isSignaled } from '../../verbs/post.ts';
import { queried } from '../../verbs/queue-pairs.ts';
import type { QueuePair } from '../qp.ts';
import { reset } from '../reset.ts';

/** QPs that went to ERR without a call */
const failed = new WeakSet<QueuePair>();
/** READs and ATOMICs that were unanswered when a QP was reset */
const leaked = new WeakMap<QueuePair, number>();
/** flags in the places of a send queue, oldest place first: signaled, solicited */
const signaledOf = new WeakMap<QueuePair, readonly boolean[]>();
const solicitedOf = new WeakMap<QueuePair, readonly boolean[]>();
/** lists of work requests that were posted where a solicited one had been */
const solicited = new WeakSet<readonly Sge[]>();

/** Gives the flag that the place of the send queue held before, and stores the new one there. */
function replaced(flags: WeakMap<QueuePair, readonly boolean[]>, qp: QueuePair, flag: boolean): boolean {
  const { max_send_wr: room } = qp.cap;
  const all = flags.get(qp) ?? [];
  flags.set(qp, [...all, flag].slice(-room));
  return all.length >= room && all[0] === true;
}

/** What a call, a former life or a former work request leaves where nothing is to be left. */
export const inBetweenFaults = [
  faultsAt(flushPosted, {
    'post-behind-own-failure-lost': (sound, device, qp, wrId) => {
      if (!failed.has(qp)) sound(device, qp, wrId);
    },
  }),

  faultsAt(failHead, {
    'post-behind-own-failure-lost': (sound, core, qp, status) => {
      failed.add(qp);
      sound(core, qp, status);
    },
  }),

  faultsAt(endConnection, {
    'post-behind-own-failure-lost': (sound, core, qp, refusal) => {
      failed.add(qp);
      sound(core, qp, refusal);
    },
  }),

  faultsAt(reset, {
    'post-behind-own-failure-lost': (sound, core, qp) => {
      failed.delete(qp);
      sound(core, qp);
    },
    'read-slots-leak-by-reset': (sound, core, qp) => {
      const open = qp.requester.queue.filter((wqe) => wqe.launched && takesReadSlot(core, wqe));
      leaked.set(qp, (leaked.get(qp) ?? 0) + open.length);
      sound(core, qp);
    },
  }),

  faultsAt(readSlots, {
    'read-slots-leak-by-reset': (sound, core, qp) => sound(core, qp) - (leaked.get(qp) ?? 0),
  }),

  faultsAt(isSignaled, {
    'signaled-of-before': (sound, device, qp, asked) => {
      const before = replaced(signaledOf, qp, asked);
      return sound(device, qp, asked || before);
    },
  }),

  faultsAt(elementsOf, {
    'solicited-of-before': (sound, device, qp, wr) => {
      const list = sound(device, qp, wr);
      if (replaced(solicitedOf, qp, wr.send_flags?.includes('IBV_SEND_SOLICITED') === true))
        solicited.add(list);
      return list;
    },
  }),

  faultsAt(messagePacket, {
    'solicited-of-before': (sound, core, qp, wqe, psn) => {
      const fields = sound(core, qp, wqe, psn);
      const last = psnDiff(psn, wqe.psn) === wqe.packets - 1;
      if (fields !== undefined && last && wqe.kind === 'send' && solicited.has(wqe.wr.sg_list))
        fields.solicited = true;
      return fields;
    },
  }),

  faultsAt(enqueue, {
    'receive-posted-ends-not-ready': (sound, device, call, queue, wr) => {
      sound(device, call, queue, wr);
      for (const { receiveQueue, responder } of device.qps.values())
        if (receiveQueue === queue && responder.waiting === 'rnr') responder.waiting = undefined;
    },
  }),

  faultsAt(queried, {
    'query-forgets-nak': (sound, device, qp) => {
      qp.responder.waiting = undefined;
      return sound(device, qp);
    },
    'query-ends-rnr-wait': (sound, device, qp) => {
      const { requester: q } = qp;
      if (q.rnrTimer !== undefined) {
        q.rnrTimer.cancel();
        q.rnrTimer = undefined;
        qp.pump();
      }
      return sound(device, qp);
    },
  }),

  faultsAt(findResource, {
    'replay-without-wrap': (_sound, _core, { responder: { resources } }, psn) =>
      resources.find((entry) => psn >= entry.psn && psn < entry.psn + entry.packets),
  }),
];
