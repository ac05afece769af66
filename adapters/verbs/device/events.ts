import { eventType } from '../../../spec/constants.ts';
import type { AsyncEvent } from '../../../spec/verbs.ts';
import { VerbsError } from '../../adapter.ts';
import { onReadable } from '../ffi.ts';
import type { Libibverbs, Pointer } from '../ffi.ts';
import { bytesAt } from './memory.ts';
import { openContext } from './open.ts';

export const qpNumAt = (lib: Libibverbs, qp: Pointer): number => bytesAt(lib, qp, 56).readUInt32LE(52);

/** How the element of an event is identified: the adapter's handle of a CQ or SRQ, and the number of a QP. */
export interface EventOwners {
  cq(element: Pointer): number | undefined;
  srq(element: Pointer): number | undefined;
  qpNum(element: Pointer): number | undefined;
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
    case 'IBV_EVENT_QP_LAST_WQE_REACHED': {
      const qp_num = owners.qpNum(element);
      return { event_type, ...(qp_num !== undefined && { qp_num }) };
    }
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
    // libibverbs counts it at the object, which has to be one of this process
    if (Object.keys(event).length > 1) lib.ackAsyncEvent(bytes);
    tell(event);
  }
}

/** Takes and acknowledges the completion events that wait; the cookie of each is a handle. */
export function takeCqEvents(lib: Libibverbs, channel: Pointer, tell: (cq: number) => void): void {
  const cq = Buffer.alloc(8);
  const cookie = Buffer.alloc(8);
  while (lib.getCqEvent(channel, cq, cookie) === 0) {
    lib.ackCqEvents(cq.readBigUInt64LE(0), 1);
    tell(Number(cookie.readBigUInt64LE(0)));
  }
}

/** Calls `take` whenever the asynchronous events of a context can be read, without waiting for one. */
export function onAsyncEvents(lib: Libibverbs, context: Pointer, take: () => void): { close(): void } {
  const fd = bytesAt(lib, context, 328).readInt32LE(268);
  withoutWaiting(lib, fd);
  return onReadable(fd, take);
}

/** Reading from it does not wait. */
export function withoutWaiting(lib: Libibverbs, fd: number): void {
  lib.fcntl(fd, 4, lib.fcntl(fd, 3, 0) | 0o4000); // F_SETFL, F_GETFL, O_NONBLOCK
}

/** A user context that owns no object: it shows which events reach others than their owner. */
export interface SecondContext {
  close(): void;
}

/** Opens a device once more and tells what comes there; `undefined` where it opens only once. */
export function openSecondContext(
  lib: Libibverbs,
  name: string,
  owners: EventOwners,
  tell: (event: AsyncEvent) => void,
  listen = onAsyncEvents,
): SecondContext | undefined {
  let context: Pointer;
  try {
    context = openContext(lib, name);
  } catch (error) {
    if (error instanceof VerbsError) return undefined;
    throw error;
  }
  const events = listen(lib, context, () => takeAsyncEvents(lib, context, owners, tell));
  return {
    close: () => {
      events.close();
      const result = lib.closeDevice(context);
      if (result !== 0) throw new VerbsError('ibv_close_device', result);
    },
  };
}
