import type { Wc } from '../../../spec/verbs.ts';
import type { CompletionQueue } from '../device/cq.ts';
import { asksForEvent } from '../rc-responder/receive.ts';
import { faultsAt } from '../seam.ts';
import { announceCompletion, arm, isSolicited, notify, tellCompletion, wakes } from './notification.ts';

/** CQs that have held a completion */
const used = new WeakSet<CompletionQueue>();
/** calls of ibv_req_notify_cq that have had no event */
const calls = new WeakMap<CompletionQueue, number>();
/** CQs that software has asked for an event */
const asked = new WeakSet<CompletionQueue>();

function isSent({ opcode }: Wc): boolean {
  return opcode !== undefined && !opcode.startsWith('IBV_WC_RECV');
}

/** What mutants do wrong with completion events. */
export const cqEventFaults = [
  faultsAt(arm, {
    'cq-event-solicited-as-any': (sound, device, cq) => {
      sound(device, cq, false);
    },
    'cq-event-for-each-call': (sound, device, cq, solicitedOnly) => {
      calls.set(cq, (calls.get(cq) ?? 0) + 1);
      sound(device, cq, solicitedOnly);
    },
    'cq-event-for-each': (sound, device, cq, solicitedOnly) => {
      asked.add(cq);
      sound(device, cq, solicitedOnly);
    },
    'cq-event-for-taken': (sound, device, cq, solicitedOnly) => {
      sound(device, cq, solicitedOnly);
      if (used.has(cq)) notify(device, cq);
    },
  }),

  faultsAt(announceCompletion, {
    'solicited-event-of-first-alone': (sound, device, cq, wc, solicited) => {
      sound(device, cq, wc, solicited);
      if (cq.armed === 'solicited' && !isSent(wc)) cq.armed = 'no';
    },
    'cq-event-unprompted': (sound, device, cq, wc, solicited) => {
      if (!used.has(cq)) tellCompletion(device, cq);
      used.add(cq);
      sound(device, cq, wc, solicited);
    },
    'cq-event-for-taken': (sound, device, cq, wc, solicited) => {
      used.add(cq);
      sound(device, cq, wc, solicited);
    },
    'cq-event-for-each': (sound, device, cq, wc, solicited) => {
      if (cq.armed === 'no' && asked.has(cq)) tellCompletion(device, cq);
      sound(device, cq, wc, solicited);
    },
  }),

  faultsAt(wakes, {
    'cq-event-missing': (sound, device, cq, wc, solicited) =>
      cq.armed === 'solicited' && sound(device, cq, wc, solicited),
    'cq-event-of-sends-missing': (sound, device, cq, wc, solicited) =>
      !isSent(wc) && sound(device, cq, wc, solicited),
  }),

  faultsAt(isSolicited, {
    'cq-event-sends-solicited': (sound, device, wc, solicited) => isSent(wc) || sound(device, wc, solicited),
    'cq-event-errors-unsolicited': (_sound, _device, _wc, solicited) => solicited,
    'solicited-bit-ignored': (sound, device, wc) => sound(device, wc, false),
  }),

  faultsAt(asksForEvent, {
    'solicited-bit-of-long-ignored': (sound, core, packet) =>
      packet.info?.operation.includes('_LAST') !== true && sound(core, packet),
  }),

  faultsAt(notify, {
    'cq-event-for-each-call': (sound, device, cq) => {
      const left = (calls.get(cq) ?? 1) - 1;
      calls.set(cq, left);
      const { armed } = cq;
      sound(device, cq);
      if (left > 0) cq.armed = armed;
    },
    'cq-event-doubled': (sound, device, cq) => {
      sound(device, cq);
      tellCompletion(device, cq);
    },
  }),
];
