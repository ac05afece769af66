import { psnDiff } from '../../../../wire/index.ts';
import { apply } from '../../attributes/modify.ts';
import { forgetRate } from '../../congestion/rate-limiter.ts';
import { react } from '../../device/dispatch.ts';
import { inlineData } from '../../device/memory/sge-list.ts';
import type { QueuePair } from '../../device/qp.ts';
import { migrate } from '../../path-migration/migration.ts';
import { faultsAt } from '../../seam.ts';
import { succeed } from '../complete.ts';
import { positionFits } from '../data.ts';
import { readSlots, takesReadSlot } from '../launch.ts';
import { acknowledgeUpTo } from '../progress.ts';
import { readReth, segmentSize } from '../segment.ts';
import { sendRequest } from '../send.ts';
import { stopAckTimer, type RequesterState, type SendWqe } from '../state.ts';
import { noteVoidAnswer, timeOut } from '../timers.ts';

/** READs and ATOMICs that were sent again */
const leaked = new WeakMap<RequesterState, number>();
/** where the rest of a READ began that was asked for last */
const rests = new WeakMap<SendWqe, number>();
/** requests that were sent again */
const repeated = new WeakSet<SendWqe>();

/** `from` bytes on, zeros. */
function cleared(payload: Uint8Array, from: number): Uint8Array {
  const copy = payload.slice();
  return from < copy.length ? copy.fill(0, Math.max(0, from)) : copy;
}

/** What is forgotten or mistaken where a requester sends again, or has its ACK timer run. */
export const againFaults = [
  faultsAt(sendRequest, {
    'read-slots-leak-by-retry': (sound, core, qp, wqe, fields, again) => {
      const { requester: q } = qp;
      if (again && takesReadSlot(core, wqe)) leaked.set(q, (leaked.get(q) ?? 0) + 1);
      sound(core, qp, wqe, fields, again);
    },
    'empty-message-not-resent': (sound, core, qp, wqe, fields, again) => {
      const empty = wqe.length === 0 && (wqe.kind === 'send' || wqe.kind === 'write');
      if (!again || !empty) sound(core, qp, wqe, fields, again);
    },
    'retry-immediate-zero': (sound, core, qp, wqe, fields, again) => {
      const zero = again && fields.immediate !== undefined;
      sound(core, qp, wqe, zero ? { ...fields, immediate: 0 } : fields, again);
    },
    'retry-invalidates-zero': (sound, core, qp, wqe, fields, again) => {
      const zero = again && fields.invalidateRkey !== undefined;
      sound(core, qp, wqe, zero ? { ...fields, invalidateRkey: 0 } : fields, again);
    },
    'retry-gathers-first-element': (sound, core, qp, wqe, fields, again) => {
      const { payload } = fields;
      const [first] = wqe.wr.sg_list;
      const at = psnDiff(fields.psn, wqe.psn) * segmentSize(core, qp);
      const short = again && payload !== undefined && first !== undefined && wqe.inline === undefined;
      sound(
        core,
        qp,
        wqe,
        short ? { ...fields, payload: cleared(payload, first.length - at) } : fields,
        again,
      );
    },
    'retry-of-inline-reads-memory': (sound, core, qp, wqe, fields, again) => {
      const { payload } = fields;
      const at = psnDiff(fields.psn, wqe.psn) * segmentSize(core, qp);
      const anew = again && payload !== undefined && wqe.inline !== undefined;
      const data = anew ? inlineData(core.memory, wqe.wr.sg_list, wqe.length) : undefined;
      const now = data?.subarray(at, at + (payload?.length ?? 0));
      sound(core, qp, wqe, now === undefined ? fields : { ...fields, payload: now }, again);
    },
    'retried-completes-unsignaled': (sound, core, qp, wqe, fields, again) => {
      if (again) repeated.add(wqe);
      sound(core, qp, wqe, fields, again);
    },
  }),

  faultsAt(succeed, {
    'retried-completes-unsignaled': (sound, core, qp, wqe) => {
      sound(core, qp, repeated.has(wqe) ? { ...wqe, signaled: true } : wqe);
    },
  }),

  faultsAt(readSlots, {
    'read-slots-leak-by-retry': (sound, core, qp) => sound(core, qp) - (leaked.get(qp.requester) ?? 0),
  }),

  faultsAt(positionFits, {
    'read-rest-first-refused': (sound, core, packet, wqe, last) =>
      sound(core, packet, { ...wqe, starts: [wqe.psn] }, last),
  }),

  faultsAt(readReth, {
    'read-rest-of-former-rest': (sound, core, wqe, offset) => {
      const before = rests.get(wqe) ?? 0;
      rests.set(wqe, offset);
      return sound(core, wqe, offset > before ? offset - before : offset);
    },
  }),

  faultsAt(acknowledgeUpTo, {
    'ack-in-retry-sends-on': (sound, core, qp, end, teller) => {
      const { recovering, next, end: newest } = qp.requester;
      sound(core, qp, end, teller);
      if (recovering && next !== newest) qp.requester.next = newest;
    },
  }),

  faultsAt(migrate, {
    'migration-stops-ack-timer': (sound, core, qp) => {
      sound(core, qp);
      stopAckTimer(qp.requester);
    },
  }),

  faultsAt(apply, {
    'ack-timer-restarted-by-calls': (sound, device, qp: QueuePair, attr) => {
      sound(device, qp, attr);
      noteVoidAnswer(device, qp, device.clock.now());
    },
  }),

  faultsAt(react, {
    'ack-timer-restarted-by-cnps': (sound, device, packet, named) => {
      sound(device, packet, named);
      if (named !== undefined) noteVoidAnswer(device, named, device.arrival);
    },
  }),

  faultsAt(timeOut, {
    'rate-forgotten-by-timeout': (sound, core, qp) => {
      forgetRate(qp);
      sound(core, qp);
    },
  }),
];
