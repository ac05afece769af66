import type { Packet } from '../../../wire/index.ts';

/** Where in its message a SEND or WRITE packet stands. */
export type Position = 'first' | 'middle' | 'last' | 'only';

/** A packet of a SEND or WRITE. */
export interface Message {
  kind: 'send' | 'write';
  position: Position;
  immediate: boolean;
}

/** What a request opcode asks for. */
export type Request =
  Message | { kind: 'read' } | { kind: 'compare-swap' | 'fetch-add' } | { kind: 'unsupported' };

const requests: Readonly<Record<string, Request>> = {
  SEND_FIRST: { kind: 'send', position: 'first', immediate: false },
  SEND_MIDDLE: { kind: 'send', position: 'middle', immediate: false },
  SEND_LAST: { kind: 'send', position: 'last', immediate: false },
  SEND_LAST_WITH_IMMEDIATE: { kind: 'send', position: 'last', immediate: true },
  SEND_LAST_WITH_INVALIDATE: { kind: 'send', position: 'last', immediate: false },
  SEND_ONLY: { kind: 'send', position: 'only', immediate: false },
  SEND_ONLY_WITH_IMMEDIATE: { kind: 'send', position: 'only', immediate: true },
  SEND_ONLY_WITH_INVALIDATE: { kind: 'send', position: 'only', immediate: false },
  RDMA_WRITE_FIRST: { kind: 'write', position: 'first', immediate: false },
  RDMA_WRITE_MIDDLE: { kind: 'write', position: 'middle', immediate: false },
  RDMA_WRITE_LAST: { kind: 'write', position: 'last', immediate: false },
  RDMA_WRITE_LAST_WITH_IMMEDIATE: { kind: 'write', position: 'last', immediate: true },
  RDMA_WRITE_ONLY: { kind: 'write', position: 'only', immediate: false },
  RDMA_WRITE_ONLY_WITH_IMMEDIATE: { kind: 'write', position: 'only', immediate: true },
  RDMA_READ_REQUEST: { kind: 'read' },
  COMPARE_SWAP: { kind: 'compare-swap' },
  FETCH_ADD: { kind: 'fetch-add' },
};
const unsupported: Request = { kind: 'unsupported' };

/** The request of a packet; anything this device does not implement is `unsupported`. */
export function requestOf(packet: Packet): Request {
  return requests[packet.info?.operation ?? ''] ?? unsupported;
}

export function isLast(position: Position): boolean {
  return position === 'last' || position === 'only';
}

export function isFirst(position: Position): boolean {
  return position === 'first' || position === 'only';
}
