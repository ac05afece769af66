import type { RecvWr } from '../../../spec/verbs.ts';
import { invariantParts, ipHeader } from '../../../wire/icrc.ts';
import type { Packet } from '../../../wire/packet.ts';
import { changed, offsetIn, scatter, totalLength } from '../../device/memory.ts';
import type { ByteClass } from '../../device/objects/byte-classes.ts';
import type { Region } from '../../device/memory.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Outcome } from '../../rules.ts';
import type { Arrival } from '../receiving/arrival.ts';
import type { UnreliableQp } from '../qp.ts';
import type { Due, OpenWrite, Placed, ReceiveState } from '../receiving/state.ts';
import { targetOf } from './access.ts';

// What the outcomes `payload`, `memory` and `grh` do, and what packets that are discarded do not. Built in, since bytes are no variables.

/** A part of a region. */
export interface Range {
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

/** Ranges of a receive WQE; none where only its completion will tell which WQE of an SRQ it is. */
function buffer(qp: UnreliableQp, wqe: number, from: number, length: number): Range[] {
  const list = wqe < 0 || qp.contested !== undefined ? undefined : qp.posted.at(wqe)?.sg_list;
  return list === undefined ? [] : scatter(qp.memory, list, from, length);
}

/** Remote memory of the payload of a WRITE packet. */
function remote(qp: UnreliableQp, write: OpenWrite | undefined, packet: Packet): Range | undefined {
  const target = targetOf(write, packet);
  const region = target && qp.memory.byRkey(target.rkey);
  if (target === undefined || region === undefined) return undefined;
  return { region, offset: offsetIn(region, target.va), length: packet.payloadLength };
}

/**
 * The payload of a packet that is carried out. While the message lacks packets nobody may rely on what stands there:
 * only when it is whole its bytes count as written.
 */
export function place(arrival: Arrival, effect: Outcome): void {
  const payload = outcomeWord(effect, 'payload');
  if (payload === 'buffer') fill(arrival, outcomeWord(effect, 'grh') === 'placed');
  else if (payload === 'memory') write(arrival);
}

/** `header`: the GRH is in front of the payload. */
function fill(arrival: Arrival, header: boolean): void {
  const { qp, state, packet } = arrival;
  const { machine, wqe } = state;
  const { payload } = packet;
  const front = machine.number('front')(arrival, state);
  const at = machine.number('offset')(arrival, state);
  const inFront = header ? headerIn(packet, front) : [];
  if (qp.contested !== undefined)
    state.placed = [...state.placed, { at, bytes: payload, byteClass: 'written' }, ...inFront];
  const rangesOf = (from: number, length: number): Range[] => buffer(qp, wqe, from, length);
  put(state, { at, bytes: payload, byteClass: 'undefined' }, rangesOf);
  if (header) for (const range of buffer(qp, wqe, 0, front)) note(state, range, 'undefined');
  for (const placed of inFront) put(state, placed, rangesOf);
  if (!machine.flag('ends')(arrival, state)) return;
  const from = header ? front : 0;
  const to = machine.number('reached')(arrival, state);
  for (const range of buffer(qp, wqe, from, to - from)) note(state, range, 'written');
}

/** The IP header of the packet, which ends where the payload begins. */
function headerIn(packet: Packet, front: number): Placed[] {
  const from = front - ipHeader(packet).length;
  return invariantParts(packet).map(({ at, bytes }) => ({ at: from + at, bytes, byteClass: 'header' }));
}

/** Bytes of a message, over the ranges of the receive WQE that hold them. */
function put(
  state: ReceiveState,
  { at, bytes, byteClass }: Pick<Placed, 'at' | 'bytes'> & { byteClass: ByteClass },
  rangesOf: (from: number, length: number) => Range[],
): void {
  let done = 0;
  for (const range of rangesOf(at, bytes.length)) {
    note(state, range, byteClass, bytes.subarray(done, done + range.length));
    done += range.length;
  }
}

function write(arrival: Arrival): void {
  const { qp, state, packet } = arrival;
  const { machine, received } = state;
  const { payload } = packet;
  const range = remote(qp, state, packet);
  if (range === undefined) return;
  note(state, range, 'undefined', payload);
  if (!machine.flag('ends')(arrival, state)) return;
  const length = received + payload.length;
  note(state, { ...range, offset: range.offset - received, length }, 'written');
}

/** Where a packet that is discarded would have placed its payload, as far as that is known. */
export function refusedRanges(
  qp: UnreliableQp,
  state: ReceiveState,
  packet: Packet,
  write: OpenWrite | undefined,
): Range[] {
  const { machine, rqHead, rqTail } = state;
  const { family, starts } = requestShape(packet.opcode);
  if (family === 'write') {
    const range = remote(qp, packet.reth ? undefined : write, packet);
    return range === undefined ? [] : [range];
  }
  if (family !== 'send' || !starts || rqHead >= rqTail) return [];
  const front = machine.number('front')({ qp }, state);
  return buffer(qp, rqHead, front, packet.payloadLength);
}

/** A packet that is discarded must leave the memory alone that it would have written. */
export function refuse(arrival: Arrival): void {
  const { qp, state, packet, opcode } = arrival;
  const { write, rest, machine, rqHead, rqTail } = state;
  for (const range of refusedRanges(qp, state, packet, write)) note(state, range, 'refused');
  if (rqHead < rqTail)
    for (const range of buffer(qp, rqHead, 0, machine.number('front')(arrival, state)))
      note(state, range, 'refused');
  if (opcode.family !== 'write' || rest === undefined || rest.write === undefined || rest.write !== write)
    return;
  const { reth, received } = rest.write;
  state.rest = { rule: rest.rule, write: { reth, received: received + packet.payloadLength } };
}

/** What a packet that is not carried out leaves of the memory that it would have written. */
export function leaveBytes(arrival: Arrival, outcome: Outcome): void {
  if (outcomeWord(outcome, 'memory') === 'undefined') spoil(arrival);
  else refuse(arrival);
}

/** What a message has left behind is unknown if its fault is found while it is carried out. */
export function spoil({ qp, state, packet, opcode, event }: Arrival): void {
  if (opcode.family === 'write') {
    const range = remote(qp, state, packet);
    if (range !== undefined) note(state, range, 'undefined');
    return;
  }
  leaveUnbound(qp, state, event);
  const wqe = state.wqe < 0 ? state.rqHead : state.wqe;
  const list = qp.posted.at(wqe)?.sg_list ?? [];
  for (const range of buffer(qp, wqe, 0, totalLength(list))) note(state, range, 'undefined');
}

/** Where a packet may leave something, whatever becomes of it. */
export function rangesFor({ qp, state, packet, opcode }: Arrival): Range[] {
  const { write, wqe, rqHead } = state;
  if (opcode.family === 'write') {
    const range = remote(qp, packet.reth ? undefined : write, packet);
    return range === undefined ? [] : [range];
  }
  const held = wqe < 0 ? rqHead : wqe;
  return buffer(qp, held, 0, totalLength(qp.posted.at(held)?.sg_list ?? []));
}

/** Nobody can tell what is there now. */
export function leaveOpen(state: ReceiveState, ranges: readonly Range[]): void {
  for (const range of ranges) note(state, range, 'undefined');
}

/** What was received into one of the WQEs of an SRQ has gone into this one. */
export function bind(qp: UnreliableQp, state: ReceiveState, due: Due, { sg_list: list }: RecvWr): void {
  const spread = (at: number, length: number): Range[] => scatter(qp.memory, list, at, length);
  const front = state.machine.number('front')({ qp }, state);
  const [from, to] = due.end === 'message' ? [0, front] : [0, totalLength(list)];
  for (const range of spread(from, to)) note(state, range, 'undefined');
  for (const placed of due.placed) put(state, placed, spread);
}

/** Nobody will ever tell, or not before long, which WQE of an SRQ holds what was received until that place in the trace. */
export function leaveUnbound(qp: UnreliableQp, state: ReceiveState, event: number): void {
  if (qp.contested === undefined) return;
  for (const { sg_list: list } of qp.posted.openFrom(event))
    for (const range of scatter(qp.memory, list, 0, totalLength(list))) note(state, range, 'undefined');
}
