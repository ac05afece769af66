import { eventType } from '../../spec/constants.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';
import type { Libibverbs, Pointer } from './ffi.ts';

/** The handle of an element of an event. */
export const handleOf = (table: ReadonlyMap<number, Pointer>, element: Pointer): number | undefined =>
  [...table].find(([, pointer]) => pointer === element)?.[0];

/** How the element of an event is told apart: the adapter's handle of a CQ or SRQ, and the number of a QP. */
export interface EventOwners {
  cq(element: Pointer): number | undefined;
  srq(element: Pointer): number | undefined;
  qpNum(element: Pointer): number;
}

/** `struct ibv_async_event`: 16 bytes, the element it concerns and the number of its type. */
export function decodeAsyncEvent(bytes: Buffer, owners: EventOwners): AsyncEvent {
  const element = bytes.readBigUInt64LE(0);
  const code = bytes.readInt32LE(8);
  const event_type = eventType.name(code) ?? `IBV_EVENT_UNKNOWN_${code}`;
  switch (event_type) {
    case 'IBV_EVENT_CQ_ERR': {
      const cq = owners.cq(element);
      return { event_type, ...(cq !== undefined && { cq }) };
    }
    case 'IBV_EVENT_SRQ_ERR':
    case 'IBV_EVENT_SRQ_LIMIT_REACHED': {
      const srq = owners.srq(element);
      return { event_type, ...(srq !== undefined && { srq }) };
    }
    case 'IBV_EVENT_QP_FATAL':
    case 'IBV_EVENT_QP_REQ_ERR':
    case 'IBV_EVENT_QP_ACCESS_ERR':
    case 'IBV_EVENT_COMM_EST':
    case 'IBV_EVENT_SQ_DRAINED':
    case 'IBV_EVENT_PATH_MIG':
    case 'IBV_EVENT_PATH_MIG_ERR':
    case 'IBV_EVENT_QP_LAST_WQE_REACHED':
      return { event_type, qp_num: owners.qpNum(element) };
    case 'IBV_EVENT_PORT_ACTIVE':
    case 'IBV_EVENT_PORT_ERR':
    case 'IBV_EVENT_LID_CHANGE':
    case 'IBV_EVENT_PKEY_CHANGE':
    case 'IBV_EVENT_SM_CHANGE':
    case 'IBV_EVENT_CLIENT_REREGISTER':
    case 'IBV_EVENT_GID_CHANGE':
      // the port's number is the low half of the union
      return { event_type, port_num: Number(element & 0xffffffffn) };
    default:
      return { event_type };
  }
}

/** Takes and acknowledges the events that wait. */
export function takeAsyncEvents(
  lib: Libibverbs,
  context: Pointer,
  owners: EventOwners,
  tell: (event: AsyncEvent) => void,
): void {
  const bytes = Buffer.alloc(16);
  while (lib.getAsyncEvent(context, bytes) === 0) {
    const event = decodeAsyncEvent(bytes, owners);
    lib.ackAsyncEvent(bytes);
    tell(event);
  }
}
