import type { Device } from '../device/device.ts';
import { addressees, enterCq, leave, tell } from '../device/report.ts';
import { choicesAt } from '../seam.ts';

/** frames after which a device reports something */
const some = 3;
const sent = new WeakMap<Device, number>();

/** Whether the device now sends the last of its first few frames. */
function isDue(device: Device): boolean {
  const frames = (sent.get(device) ?? 0) + 1;
  sent.set(device, frames);
  return frames === some;
}

/** Whether a device that fails for good has done so. */
function isDead(device: Device): boolean {
  return (sent.get(device) ?? 0) >= some;
}

/** Devices that tell of more than the reference NIC does. */
export const events = [
  choicesAt(leave, {
    'newer-event': (sound, device, send, frame, fields) => {
      sound(device, send, frame, fields);
      // IBV_EVENT_DEVICE_SPEED_CHANGE of a newer libibverbs
      if (isDue(device)) tell(device, { event_type: 'IBV_EVENT_UNKNOWN_20' });
    },
    'device-fatal': (sound, device, send, frame, fields) => {
      if (isDead(device)) return;
      if (isDue(device)) tell.sound(device, { event_type: 'IBV_EVENT_DEVICE_FATAL' });
      else sound(device, send, frame, fields);
    },
  }),

  choicesAt(enterCq, {
    'device-fatal': (sound, device, cq, wc, solicited) => {
      if (!isDead(device)) sound(device, cq, wc, solicited);
    },
  }),

  choicesAt(tell, {
    'device-fatal': (sound, device, event) => {
      if (!isDead(device)) sound(device, event);
    },
  }),

  choicesAt(addressees, {
    'other-context-first': (sound, device, event) => sound(device, event).toReversed(),
  }),
];
