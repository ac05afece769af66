import type { AsyncEvent, EventType } from '../../../spec/verbs.ts';
import type { MutantId } from '../mutant.ts';

/** Events that a mutant raises without naming what they concern. */
const nameless: Readonly<Partial<Record<MutantId, readonly EventType[]>>> = {
  'event-without-qp': ['IBV_EVENT_QP_FATAL', 'IBV_EVENT_SQ_DRAINED', 'IBV_EVENT_QP_LAST_WQE_REACHED'],
  'fault-event-without-qp': ['IBV_EVENT_QP_REQ_ERR', 'IBV_EVENT_QP_ACCESS_ERR'],
  'established-without-qp': ['IBV_EVENT_COMM_EST'],
  'migration-without-qp': ['IBV_EVENT_PATH_MIG', 'IBV_EVENT_PATH_MIG_ERR'],
  'event-without-cq': ['IBV_EVENT_CQ_ERR'],
  'event-without-srq': ['IBV_EVENT_SRQ_LIMIT_REACHED'],
  'event-without-port': ['IBV_EVENT_PORT_ACTIVE', 'IBV_EVENT_PORT_ERR'],
};

/** Events that a mutant takes for others. */
const mistaken: Readonly<Partial<Record<MutantId, readonly [EventType, EventType]>>> = {
  'event-unheard-of': ['IBV_EVENT_COMM_EST', 'IBV_EVENT_COMM_LOST'],
  'access-event-as-request': ['IBV_EVENT_QP_ACCESS_ERR', 'IBV_EVENT_QP_REQ_ERR'],
  'request-event-as-access': ['IBV_EVENT_QP_REQ_ERR', 'IBV_EVENT_QP_ACCESS_ERR'],
};

/** What a mutant raises in place of an event. */
export function misnamed(fault: MutantId, event: AsyncEvent): AsyncEvent {
  const { event_type } = event;
  if (nameless[fault]?.includes(event_type) === true) return { event_type };
  const [from, to] = mistaken[fault] ?? [];
  return to !== undefined && event_type === from ? { ...event, event_type: to } : event;
}
