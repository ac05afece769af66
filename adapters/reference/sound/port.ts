import type { AsyncEvent, Wc } from '../../../spec/verbs.ts';
import type { CompletionQueue } from '../device/cq.ts';
import type { Core } from '../device/core.ts';
import type { Device } from '../device/device.ts';
import { arriving } from '../device/port/arriving.ts';
import { announceLink, entersPort } from '../device/port/link.ts';
import { enterCq, leave, tell } from '../device/report.ts';
import { schedule } from '../device/pump.ts';
import { nextRequest } from '../unreliable/requester.ts';
import { choicesAt } from '../seam.ts';
import { lot } from './lot.ts';
import { queued } from './queue.ts';

/** devices whose link is down */
const isDown = new WeakSet<Core>();
/** what a device has taken since its link came up last */
const taken = new WeakMap<Device, WeakSet<Uint8Array>>();

/** the longest that a completion or event takes to software; nanoseconds */
const longest = 6000;

/** Frames that leave one after the other, and reports that take their time. */
export const port = [
  choicesAt(leave, {
    'serial-port': (sound, device, send, frame, fields) => {
      const busy = Math.ceil((frame.length * 8e9) / device.config.congestion.lineRate);
      queued(device, device, { delay: 0, busy }, () => {
        sound(device, send, frame, fields);
      });
    },
    'transmit-queue': (sound, device, send, frame, fields) => {
      queued(device, device, { delay: Math.round(lot(device) * device.config.wireJitter) }, () => {
        sound(device, send, frame, fields);
      });
    },
  }),

  choicesAt(enterCq, {
    'late-reports': (sound, device, cq: CompletionQueue, wc: Wc, solicited) => {
      queued(device, cq, { delay: Math.round(lot(device) * longest) }, () => {
        sound(device, cq, wc, solicited);
      });
    },
  }),

  choicesAt(announceLink, {
    'link-down-holds': (sound, device, up) => {
      if (up) isDown.delete(device);
      else isDown.add(device);
      if (up) for (const qp of device.qps.values()) if (qp.service !== 'RC') schedule(device, qp);
      sound(device, up);
    },
    'link-down-clears': (sound, device, up) => {
      taken.set(device, new WeakSet());
      sound(device, up);
    },
  }),

  choicesAt(entersPort, {
    'link-down-clears': (sound, device, frame) => {
      taken.get(device)?.add(frame);
      return sound(device, frame);
    },
  }),

  choicesAt(nextRequest, {
    'link-down-holds': (sound, core, qp) => (isDown.has(core) ? undefined : sound(core, qp)),
  }),

  choicesAt(arriving, {
    'link-down-clears': (sound, device, frame) =>
      taken.get(device)?.has(frame) === false ? undefined : sound(device, frame),
  }),

  choicesAt(tell, {
    'late-reports': (sound, device, event) => {
      queued(device, reportedIn(device, event), { delay: Math.round(lot(device) * longest) }, () => {
        sound(device, event);
      });
    },
  }),
];

/** The queue that an event is reported by. The event of the last WQE comes behind the completions of that QP, so it takes their queue. */
function reportedIn(device: Device, { event_type: type, qp_num: number }: AsyncEvent): object {
  const qp = number === undefined ? undefined : device.qpByNumber.get(number);
  return type === 'IBV_EVENT_QP_LAST_WQE_REACHED' && qp !== undefined ? qp.recvCq : device;
}
