import { psnAdd, type Packet } from '../../../wire/index.ts';
import { DeviceDied } from '../../adapter.ts';
import type { Core } from '../device/core.ts';
import { overrun, type Place } from '../device/memory.ts';
import type { QueuePair } from '../device/qp.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { announced, leniencyOf } from './access.ts';
import { isFirst, isLast, lengthFits, requestOf, type Position } from './position.ts';
import { completeReceive, takeWqe } from './receive.ts';
import { guessTailLoss } from './tail-loss.ts';
import { refuse, refuseInvalid, refuseMalformed } from './refuse.ts';
import { oweAck, sendRnrNak } from './reply.ts';

/** An RDMA WRITE packet with the expected PSN, in its place. */
export function executeWrite(
  core: Core,
  qp: QueuePair,
  packet: Packet,
  position: Position,
  immediate: boolean,
): void {
  const r = qp.responder;
  const { psn, payload } = packet;
  if (!qp.access.includes('IBV_ACCESS_REMOTE_WRITE') && core.fault !== 'qp-access-unchecked') {
    refuseInvalid(core, qp, psn);
    return;
  }
  if (isLast(position) && !packet.ackReq && !immediate && core.fault === 'unasked-write-refused') {
    refuseInvalid(core, qp, psn);
    return;
  }
  if (core.fault === 'dies-of-wrong-write-length' && packet.reth !== undefined && isLast(position))
    if (packet.reth.dmaLen !== payload.length) throw new DeviceDied('its firmware stops with an assertion');
  let wqe: RecvWqe | undefined;
  if (core.fault === 'rnr-for-plain-write' && !immediate && qp.receiveQueue.wqes.length === 0) {
    sendRnrNak(core, qp, psn);
    r.waiting = 'rnr';
    return;
  }
  if (immediate && core.fault !== 'write-immediate-takes-no-wqe') {
    wqe = takeWqe(core, qp, psn);
    if (wqe === undefined) return;
    if (wqe.malformed !== undefined) {
      refuseMalformed(core, qp, psn, wqe);
      return;
    }
  }
  const reported = core.config.writeImmFault === 'completion' ? wqe : undefined;
  const opened = isFirst(position)
    ? open(core, qp, packet)
    : r.message?.kind === 'write'
      ? r.message
      : 'invalid';
  const faulty =
    opened === 'denied' ||
    opened === 'invalid' ||
    !granted(core, opened) ||
    !lengthFits(core, qp, packet, position) ||
    !fitsMessage(core, opened, payload.length, position);
  // Where an event tells of the fault, the WQE goes the way of those still posted.
  if (faulty && wqe !== undefined && reported === undefined) qp.receiveQueue.wqes.unshift(wqe);
  if (opened === 'denied' || (opened !== 'invalid' && !granted(core, opened))) {
    refuse(core, qp, {
      nak: 'remote-access-error',
      psn,
      wqe: reported,
      status: 'IBV_WC_LOC_ACCESS_ERR',
      event: 'IBV_EVENT_QP_ACCESS_ERR',
    });
    return;
  }
  if (faulty) {
    refuseInvalid(core, qp, psn, reported);
    return;
  }
  store(core, opened.place, opened.received, payload, isLast(position));
  r.epsn = psnAdd(r.epsn, 1);
  if (!isLast(position)) {
    if (core.fault === 'msn-per-packet') r.msn = psnAdd(r.msn, 1);
    r.message = { ...opened, kind: 'write', received: opened.received + payload.length };
    if (core.fault !== 'write-packet-unacknowledged') oweAck(core, qp, packet.ackReq);
    guessTailLoss(core, qp);
    return;
  }
  r.message = undefined;
  r.msn = psnAdd(r.msn, 1);
  if (wqe !== undefined) {
    completeReceive(
      core,
      qp,
      packet,
      wqe,
      'IBV_WC_RECV_RDMA_WITH_IMM',
      core.fault === 'write-immediate-byte-len-zero' ? 0 : opened.length,
    );
  }
  oweAck(core, qp, packet.ackReq);
}

/** The payload of a WRITE that is going to be refused, put where it asks for all the same. */
export function storeAnyway(core: Core, qp: QueuePair, packet: Packet): void {
  const opened = requestOf(packet).kind === 'write' ? open(core, qp, packet) : 'invalid';
  if (opened !== 'invalid' && opened !== 'denied') store(core, opened.place, 0, packet.payload, false);
}

/** A WRITE whose place in memory is known. */
export interface Opened {
  va: bigint;
  length: number;
  place: Place | undefined;
  received: number;
}

/** What the first packet of a WRITE asks for; `denied`: it may not touch that memory. */
export function open(core: Core, qp: QueuePair, packet: Packet): Opened | 'invalid' | 'denied' {
  const { reth } = packet;
  if (reth === undefined) return 'invalid';
  const length = announced(core, reth);
  if (length === undefined) return 'invalid';
  const base = { va: reth.va, length, received: 0 };
  // The R_Key of a zero-length WRITE is not validated.
  if (length === 0 && core.fault !== 'zero-length-checks-rkey') return { ...base, place: undefined };
  const place = core.memory.remote(
    reth.rkey,
    reth.va,
    length,
    qp.pd,
    'IBV_ACCESS_REMOTE_WRITE',
    leniencyOf(core),
  );
  return place === undefined ? 'denied' : { ...base, place };
}

/** Whether the memory of a WRITE under way is still registered. */
export function granted({ fault }: Core, { place }: Opened): boolean {
  return place === undefined || place.region.valid || fault === 'write-freed-region';
}

/** Whether so many bytes may come now: all that is left with the last packet, and less before. */
export function fitsMessage(core: Core, message: Opened, bytes: number, position: Position): boolean {
  const left = message.length - message.received;
  if (!isLast(position)) return left > bytes || core.fault === 'write-beyond-length-accepted';
  if (core.fault === 'write-beyond-length-accepted') return bytes >= left;
  if (core.fault === 'short-write-accepted') return bytes <= left;
  return bytes === left;
}

/** Puts the bytes of one packet of a WRITE into memory, `at` bytes into its place. */
export function store(
  core: Core,
  place: Place | undefined,
  at: number,
  data: Uint8Array,
  last: boolean,
): void {
  if (place === undefined) return;
  const room = place.bytes.length - place.offset - at;
  if (room <= 0) return;
  let bytes = data.length > room ? data.subarray(0, room) : data;
  if (last && core.fault === 'write-loses-last-byte') bytes = bytes.subarray(0, bytes.length - 1);
  place.bytes.set(bytes, place.offset + at);
  const behind = place.offset + at + bytes.length;
  if (core.fault === 'write-overruns-region') overrun(place.region, place.bytes, behind);
  // padding of the packet taken for payload
  if (core.fault === 'padding-written' && behind < place.bytes.length)
    place.bytes.fill(0, behind, Math.min(place.bytes.length, behind + (-bytes.length & 3)));
}
