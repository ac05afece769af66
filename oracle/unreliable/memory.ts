import type { Packet } from '../../wire/packet.ts';
import type { Outcome } from '../rules.ts';
import { changed, offsetIn, scatter } from '../device/memory.ts';
import type { ByteClass, Region } from '../device/memory.ts';
import { requestShape } from '../device/opcode-shape.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import { familyOf, placeOf, targetOf } from './facts.ts';
import { grhBytes } from '../device/receive-queue.ts';
import type { OpenMessage, ReceiveState, UnreliableQp } from './qp.ts';

interface Range {
  region: Region | undefined;
  offset: number;
  length: number;
}

function note(
  state: ReceiveState,
  { region, offset, length }: Range,
  byteClass: ByteClass,
  bytes?: Uint8Array,
): void {
  if (region === undefined) return;
  const from = Math.max(0, offset);
  const to = Math.min(region.length, offset + length);
  if (from >= to) return;
  const part = bytes?.subarray(from - offset, to - offset);
  state.memory = changed(state.memory, { region, offset: from, length: to - from, bytes: part, byteClass });
}

/** Ranges of the receive WQE that the message holds. */
function buffer(qp: UnreliableQp, message: OpenMessage, from: number, length: number): Range[] {
  const list = message.wqe === undefined ? undefined : qp.posted.at(message.wqe)?.sg_list;
  return list === undefined ? [] : scatter(qp.memory, list, from, length);
}

/** Remote memory of `length` bytes of a WRITE, from its packet's place on. */
function remote(qp: UnreliableQp, message: OpenMessage | undefined, packet: Packet): Range | undefined {
  const target = targetOf(message, packet);
  const region = target && qp.memory.byRkey(target.rkey);
  if (target === undefined || region === undefined) return undefined;
  return { region, offset: offsetIn(region, target.va), length: packet.payloadLength };
}

/**
 * The payload of a packet that is carried out. While the message lacks packets nobody may rely on what stands there:
 * only when it is whole its bytes count as written.
 */
export function placeMessage(arrival: {
  qp: UnreliableQp;
  state: ReceiveState;
  message: OpenMessage;
  packet: Packet;
  effect: Outcome;
  whole: boolean;
}): void {
  const { qp, state, message, packet, effect, whole } = arrival;
  const { payload } = packet;
  if (outcomeWord(effect, 'receiveQueue') === 'fill') {
    const start = placeOf(qp, message);
    let done = 0;
    for (const range of buffer(qp, message, start, payload.length)) {
      note(state, range, 'undefined', payload.subarray(done, done + range.length));
      done += range.length;
    }
    if (outcomeWord(effect, 'grh') === 'placed')
      for (const range of buffer(qp, message, 0, grhBytes)) note(state, range, 'undefined');
    if (!whole) return;
    const from = outcomeWord(effect, 'grh') === 'placed' ? grhBytes : 0;
    for (const range of buffer(qp, message, from, start + payload.length - from))
      note(state, range, 'written');
  }
  if (outcomeWord(effect, 'memory') !== 'write') return;
  const range = remote(qp, message, packet);
  if (range === undefined) return;
  note(state, range, 'undefined', payload);
  const total = message.received + payload.length;
  if (whole) note(state, { ...range, offset: range.offset - message.received, length: total }, 'written');
}

/** Where a packet that is discarded would have placed its payload, as far as that can be told. */
export function refusedRanges(
  qp: UnreliableQp,
  state: ReceiveState,
  packet: Packet,
  message: OpenMessage | undefined = state.message ?? state.rest?.message,
): Range[] {
  const { family, position } = requestShape(packet.opcode);
  if (familyOf(packet) === 'write') {
    const range = remote(qp, packet.reth ? undefined : message, packet);
    return range === undefined ? [] : [range];
  }
  const begins = position === 'first' || position === 'only';
  if (family !== 'send' || !begins || state.rqHead >= state.rqTail) return [];
  const list = qp.posted.at(state.rqHead)?.sg_list ?? [];
  return scatter(qp.memory, list, qp.kind === 'UD' ? grhBytes : 0, packet.payloadLength);
}

/** A packet that is discarded must leave the memory alone that it would have written. */
export function refuse(
  qp: UnreliableQp,
  state: ReceiveState,
  packet: Packet,
  message: OpenMessage | undefined = state.message ?? state.rest?.message,
): void {
  for (const range of refusedRanges(qp, state, packet, message)) note(state, range, 'refused');
  if (qp.kind === 'UD' && state.rqHead < state.rqTail) {
    const list = qp.posted.at(state.rqHead)?.sg_list ?? [];
    for (const range of scatter(qp.memory, list, 0, grhBytes)) note(state, range, 'refused');
  }
  if (familyOf(packet) !== 'write') return;
  if (state.rest?.message !== undefined && state.rest.message === message)
    state.rest.message.received += packet.payloadLength;
}

/** Of a message with a fault that is found while it is carried out, nobody knows what it has left behind. */
export function spoil(
  qp: UnreliableQp,
  state: ReceiveState,
  packet: Packet,
  message: OpenMessage | undefined,
): void {
  if (familyOf(packet) === 'write') {
    const range = remote(qp, message, packet);
    if (range !== undefined) note(state, range, 'undefined');
    return;
  }
  const index = message?.wqe ?? state.rqHead;
  const list = qp.posted.at(index)?.sg_list ?? [];
  const length = list.reduce((sum, sge) => sum + sge.length, 0);
  for (const range of scatter(qp.memory, list, 0, length)) note(state, range, 'undefined');
}
