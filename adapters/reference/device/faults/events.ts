import type { AsyncEvent, EventType } from '../../../../spec/verbs.ts';
import { faultsAt } from '../../seam.ts';
import type { Device } from '../device.ts';
import { addressees, tell } from '../report.ts';

type Told = ReturnType<typeof addressees>;
type Telling = (device: Device, event: AsyncEvent) => void;

/** Events that are raised without naming what they concern. */
const nameless =
  (...types: EventType[]) =>
  (sound: Telling, device: Device, event: AsyncEvent): void => {
    const { event_type } = event;
    sound(device, types.includes(event_type) ? { event_type } : event);
  };

/** An event is taken for another. */
const mistaking =
  (from: EventType, to: EventType) =>
  (sound: Telling, device: Device, event: AsyncEvent): void =>
    sound(device, event.event_type === from ? { ...event, event_type: to } : event);

/** An event is raised twice. */
const repeating =
  (type: EventType) =>
  (sound: Telling, device: Device, event: AsyncEvent): void => {
    sound(device, event);
    if (event.event_type === type) sound(device, event);
  };

export const eventFaults = [
  faultsAt(tell, {
    'cq-error-twice': repeating('IBV_EVENT_CQ_ERR'),
    'fatal-event-twice': repeating('IBV_EVENT_QP_FATAL'),
    'event-without-qp': nameless(
      'IBV_EVENT_QP_FATAL',
      'IBV_EVENT_SQ_DRAINED',
      'IBV_EVENT_QP_LAST_WQE_REACHED',
    ),
    'fault-event-without-qp': nameless('IBV_EVENT_QP_REQ_ERR', 'IBV_EVENT_QP_ACCESS_ERR'),
    'established-without-qp': nameless('IBV_EVENT_COMM_EST'),
    'migration-without-qp': nameless('IBV_EVENT_PATH_MIG', 'IBV_EVENT_PATH_MIG_ERR'),
    'event-without-cq': nameless('IBV_EVENT_CQ_ERR'),
    'event-without-srq': nameless('IBV_EVENT_SRQ_LIMIT_REACHED'),
    'event-without-port': nameless('IBV_EVENT_PORT_ACTIVE', 'IBV_EVENT_PORT_ERR'),
    'event-unheard-of': mistaking('IBV_EVENT_COMM_EST', 'IBV_EVENT_COMM_LOST'),
    'access-event-as-request': mistaking('IBV_EVENT_QP_ACCESS_ERR', 'IBV_EVENT_QP_REQ_ERR'),
    'request-event-as-access': mistaking('IBV_EVENT_QP_REQ_ERR', 'IBV_EVENT_QP_ACCESS_ERR'),
  }),
  faultsAt(addressees, {
    'event-to-every-context': (): Told => ['owner', 'other'],
    'port-event-to-one-context': (): Told => ['owner'],
    'port-event-past-owner': (sound, device, event) => sound(device, event).slice(-1),
  }),
];
