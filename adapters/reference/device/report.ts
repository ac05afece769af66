import type { AsyncEvent, Wc } from '../../../spec/verbs.ts';
import { announceCompletion } from '../cq-event/notification.ts';
import { seam } from '../seam.ts';
import type { CompletionQueue } from './cq.ts';
import type { Device } from './device.ts';
import type { Fields } from './headers.ts';
import { overrun } from './overrun.ts';

/** Tells software of an event. */
export const tell = seam((device: Device, event: AsyncEvent): void => {
  device.eventListener?.(event, device.clock.now());
});

/** A frame leaves the port. */
export const leave = seam(
  (_device: Device, send: (frame: Uint8Array) => void, frame: Uint8Array, _fields: Fields): void => {
    send(frame);
  },
);

/** A completion enters its CQ. */
export const enterCq = seam((device: Device, cq: CompletionQueue, wc: Wc, solicited: boolean): void => {
  if (cq.failed) return;
  if (cq.entries.length >= cq.capacity) {
    overrun(device, cq);
    return;
  }
  cq.entries.push(wc);
  announceCompletion(device, cq, wc, solicited);
});
