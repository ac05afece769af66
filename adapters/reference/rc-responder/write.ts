import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Place } from '../device/memory/memory.ts';
import { grants, remotePdFits, remotePlace } from '../device/memory/protection.ts';
import type { QueuePair } from '../device/qp.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { seam } from '../seam.ts';
import { allows, announced, needsNoKey } from './access.ts';
import { lengthFits } from './length.ts';
import { endMessage, goOn } from './message.ts';
import { completeReceive, takeWqe } from './receive.ts';
import { refuseDenied, refuseDisabled, refuseLength, refuseMalformed } from './refuse.ts';
import { oweAck } from './reply.ts';
import { isFirst, isLast, type Position } from './request.ts';

/** An RDMA WRITE packet with the expected PSN, in its place. */
export const executeWrite = seam(
  (core: Core, qp: QueuePair, packet: Packet, position: Position, immediate: boolean): void => {
    const { psn, payload, ackReq } = packet;
    if (!allows(core, qp, 'IBV_ACCESS_REMOTE_WRITE')) {
      refuseDisabled(core, qp, psn);
      return;
    }
    let wqe: RecvWqe | undefined;
    if (consumesWqe(core, immediate)) {
      wqe = takeWqe(core, qp, psn);
      if (wqe === undefined) return;
      if (wqe.malformed !== undefined) {
        refuseMalformed(core, qp, psn, wqe);
        return;
      }
    }
    const opened = admit(core, qp, packet, position);
    if (opened === 'denied' || opened === 'invalid') {
      const reported = core.config.writeImmFault === 'completion' ? wqe : undefined;
      // Where an event reports the fault, the WQE is treated like those still posted.
      if (wqe !== undefined && reported === undefined) qp.receiveQueue.wqes.unshift(wqe);
      if (opened === 'denied') refuseDenied(core, qp, psn, reported);
      else refuseLength(core, qp, psn, reported);
      return;
    }
    const { received, length } = opened;
    store(core, opened.place, received, payload, isLast(position));
    if (!isLast(position)) {
      goOn(core, qp, packet, { ...opened, kind: 'write', received: received + payload.length });
      return;
    }
    endMessage(qp);
    if (wqe !== undefined) completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV_RDMA_WITH_IMM', length);
    oweAck(core, qp, ackReq);
  },
);

/** Whether a WRITE takes a receive WQE: only one with immediate does. */
export const consumesWqe = seam((_core: Core, immediate: boolean): boolean => immediate);

/** The WRITE that a packet belongs to, or what stands against the packet. */
function admit(core: Core, qp: QueuePair, packet: Packet, position: Position): Opened | Objection {
  const { message } = qp.responder;
  const begun = message?.kind === 'write' ? message : 'invalid';
  const opened = isFirst(position) ? open(core, qp, packet) : begun;
  if (opened === 'denied' || opened === 'invalid') return opened;
  if (!granted(core, opened, qp)) return 'denied';
  const fits =
    lengthFits(core, qp, packet, position) && fitsMessage(core, opened, packet.payload.length, position);
  return fits ? opened : 'invalid';
}

/** A WRITE whose place in memory is known. */
export interface Opened {
  va: bigint;
  length: number;
  place: Place | undefined;
  /** of its region, when it began */
  changes: number;
  received: number;
}

/** `denied`: it may not touch that memory. */
export type Objection = 'invalid' | 'denied';

/** What the first packet of a WRITE asks for. */
export const open = seam((core: Core, qp: QueuePair, packet: Packet): Opened | Objection => {
  const { reth } = packet;
  const length = reth === undefined ? undefined : announced(core, reth);
  if (reth === undefined || length === undefined) return 'invalid';
  const { va, rkey } = reth;
  if (needsNoKey(core, length)) return { va, length, received: 0, place: undefined, changes: 0 };
  const place = remotePlace(core.memory, rkey, va, length, qp.pd, 'IBV_ACCESS_REMOTE_WRITE', qp.num);
  return place === undefined ? 'denied' : { va, length, received: 0, place, changes: place.region.changes };
});

/** Whether the memory of a WRITE under way is still registered, and grants it where ibv_rereg_mr has changed it since. */
export const granted = seam((core: Core, opened: Opened, { pd }: Pick<QueuePair, 'pd'>): boolean => {
  const { place } = opened;
  if (place === undefined) return true;
  const { region, bytes } = place;
  if (region.changes === opened.changes) return region.valid;
  const stays = region.valid && region.bytes === bytes && remotePdFits(core.memory, region, pd);
  return stays && grants(core.memory, region, 'IBV_ACCESS_REMOTE_WRITE');
});

/** Whether so many bytes may come now: all that is left with the last packet, and less before. */
export const fitsMessage = seam(
  (_core: Core, { length, received }: Opened, bytes: number, position: Position): boolean =>
    isLast(position) ? bytes === length - received : bytes < length - received,
);

/** Puts the bytes of one packet of a WRITE into memory, `at` bytes into its place. */
export const store = seam(
  (_core: Core, place: Place | undefined, at: number, data: Uint8Array, _last: boolean): void => {
    const room = place === undefined ? 0 : roomAt(place, at);
    if (place !== undefined && room > 0) place.bytes.set(data.subarray(0, room), place.offset + at);
  },
);

/** Bytes from `at` bytes into a place on. */
export function roomAt({ bytes, offset }: Place, at: number): number {
  return Math.max(0, bytes.length - offset - at);
}
