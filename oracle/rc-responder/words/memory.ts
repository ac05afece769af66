import { atomicBytes } from '../../../spec/constants.ts';
import type { RecvWr } from '../../../spec/verbs.ts';
import type { Qp } from '../../device/qp.ts';
import { changed, offsetIn, readMemory, scatter } from '../../device/memory.ts';
import type { ByteClass } from '../../device/objects/byte-classes.ts';
import type { Region } from '../../device/memory.ts';
import { afterAtomic } from '../../device/packet/opcode-shape.ts';
import type { RequestView } from '../request.ts';
import type { ResponderState } from '../state.ts';
import { Unbound } from '../unbound.ts';
import { grantingRegion, memoryRange } from './access.ts';

// What the outcome `memory` does. Built in, since bytes and their history are no variables.

/** Value that an ATOMIC finds; undefined where nothing says what it is. */
export function atomicValue(request: RequestView): bigint | undefined {
  const { state, packet } = request;
  const eth = packet.atomicEth;
  const region = eth && grantingRegion(request, { right: 'IBV_ACCESS_REMOTE_ATOMIC', ...eth }, atomicBytes);
  if (!eth || !region) return undefined;
  const view = readMemory(state.memory, region, offsetIn(region, eth.va), atomicBytes);
  for (let i = 0; i < atomicBytes; i++) if (view.classAt(i) === 'undefined') return undefined;
  return Buffer.from(view.bytes.buffer, view.bytes.byteOffset, atomicBytes).readBigUInt64LE();
}

export function modify(request: RequestView, before: bigint | undefined): void {
  const { state, packet } = request;
  const eth = packet.atomicEth;
  const region = eth && grantingRegion(request, { right: 'IBV_ACCESS_REMOTE_ATOMIC', ...eth }, atomicBytes);
  if (!eth || !region) return;
  const offset = offsetIn(region, eth.va);
  if (before === undefined) return addNode(state, region, offset, atomicBytes, undefined, 'undefined');
  const bytes = Buffer.alloc(atomicBytes);
  bytes.writeBigUInt64LE(afterAtomic(packet, before));
  addNode(state, region, offset, atomicBytes, bytes, 'written');
}

function addNode(
  state: ResponderState,
  region: Region,
  offset: number,
  length: number,
  bytes: Uint8Array | undefined,
  byteClass: ByteClass,
): void {
  const from = Math.max(0, offset);
  const to = Math.min(region.length, offset + length);
  if (from >= to) return;
  state.memory = changed(state.memory, {
    region,
    offset: from,
    length: to - from,
    bytes: bytes?.subarray(from - offset, to - offset),
    byteClass,
  });
}

/** Notes what happened to the memory that a WRITE or ATOMIC names, without a change of its content. */
export function markNamed(request: RequestView, byteClass: ByteClass): void {
  const { qp, state, packet, opcode } = request;
  if (!qp.verbs || opcode.family === 'read') return;
  if (opcode.family === 'send') {
    const wqe = state.wqe ?? request.waiting;
    if (wqe !== undefined && !(wqe instanceof Unbound) && byteClass === 'undefined')
      markScatter(qp, state, wqe, Math.max(0, state.received), packet.payloadLength, byteClass);
    return;
  }
  const range = memoryRange(request);
  const region = range && qp.memory.byRkey(range.rkey);
  if (!range || !region) return;
  const offset = range.va - region.addr;
  if (offset < -BigInt(Number.MAX_SAFE_INTEGER) || offset > BigInt(region.length)) return;
  addNode(state, region, Number(offset), Math.max(range.length, 0), undefined, byteClass);
}

/** Nobody may look at a message before its last packet is here: until then a device may write what has come, or keep it. */
function classOf(request: RequestView): ByteClass {
  const { state } = request;
  return state.machine.flag('ends')(request, state) ? 'written' : 'undefined';
}

export function writePayload(request: RequestView): void {
  const { state, packet, opcode } = request;
  if (state.machine.flag('starts')(request, state)) state.reth = request.reth;
  const range = memoryRange(request);
  const region = range && grantingRegion(request, range, range.length);
  if (!range || !region || range.length === 0) return;
  const offset = offsetIn(region, range.va);
  addNode(state, region, offset, range.length, packet.payload, classOf(request));
  if (opcode.position === 'last' && state.received > 0)
    addNode(state, region, offset - state.received, state.received, undefined, 'written');
}

/** Places the payload of a SEND in its receive WQE from `at` on. */
export function writeScatter(request: RequestView, wqe: RecvWr, at: number): void {
  const { qp, state, packet, opcode } = request;
  const { payload } = packet;
  let done = 0;
  for (const { region, offset, length } of scatter(qp.memory, wqe.sg_list, at, payload.length)) {
    const bytes = payload.subarray(done, done + length);
    if (region) addNode(state, region, offset, length, bytes, classOf(request));
    done += length;
  }
  if (opcode.position === 'last') markScatter(qp, state, wqe, 0, at, 'written');
}

export function markScatter(
  qp: Qp,
  state: ResponderState,
  wqe: RecvWr,
  at: number,
  length: number,
  byteClass: ByteClass,
): void {
  for (const part of scatter(qp.memory, wqe.sg_list, at, length))
    if (part.region) addNode(state, part.region, part.offset, part.length, undefined, byteClass);
}

/** What was received into one of the WQEs of an SRQ has gone into this one; `whole`: nothing else has. */
export function bind(qp: Qp, state: ResponderState, { placed }: Unbound, wr: RecvWr, whole: boolean): void {
  if (!whole) return markScatter(qp, state, wr, 0, Number.MAX_SAFE_INTEGER, 'undefined');
  for (const { at, payload } of placed) {
    let done = 0;
    for (const { region, offset, length } of scatter(qp.memory, wr.sg_list, at, payload.length)) {
      if (region) addNode(state, region, offset, length, payload.subarray(done, done + length), 'written');
      done += length;
    }
  }
}

/** Nobody will ever tell, or not before long, which WQE of the SRQ holds what was received. */
export function leaveUnbound(qp: Qp, state: ResponderState): void {
  const held = [state.wqe, ...state.completions.map(({ wr }) => wr)];
  if (!held.some((wqe) => wqe instanceof Unbound)) return;
  for (const wr of qp.posted.openFrom(Number.POSITIVE_INFINITY))
    markScatter(qp, state, wr, 0, Number.MAX_SAFE_INTEGER, 'undefined');
}
