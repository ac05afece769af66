import type { AsyncEvent, EventType, Wc } from '../../../spec/verbs.ts';
import { announceCompletion } from '../cq-event/notification.ts';
import { seam } from '../seam.ts';
import type { CompletionQueue } from './cq.ts';
import type { Device } from './device.ts';
import type { Fields } from './headers.ts';
import { overrun } from './overrun.ts';

/** Who has opened the device: the user context that owns all objects, and one that owns none. */
type UserContext = 'owner' | 'other';

/** Events of the port or of the device, which belong to nobody. */
const unaffiliated: ReadonlySet<EventType> = new Set<EventType>([
  'IBV_EVENT_DEVICE_FATAL',
  'IBV_EVENT_PORT_ACTIVE',
  'IBV_EVENT_PORT_ERR',
  'IBV_EVENT_LID_CHANGE',
  'IBV_EVENT_PKEY_CHANGE',
  'IBV_EVENT_SM_CHANGE',
  'IBV_EVENT_CLIENT_REREGISTER',
  'IBV_EVENT_GID_CHANGE',
]);

/** The user contexts that receive an event, in this order. */
export const addressees = seam((_device: Device, { event_type: type }: AsyncEvent): readonly UserContext[] =>
  unaffiliated.has(type) ? ['owner', 'other'] : ['owner'],
);

/** Delivers an event to software. */
export const tell = seam((device: Device, event: AsyncEvent): void => {
  const now = device.clock.now();
  for (const context of addressees(device, event)) {
    if (context === 'owner') device.eventListener?.(event, now);
    else device.secondListener?.(event, now);
  }
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
