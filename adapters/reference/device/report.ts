import type { AsyncEvent } from '../../../spec/verbs.ts';
import { seam } from '../seam.ts';
import type { Device } from './device.ts';
import type { Fields } from './headers.ts';

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
