import { ooethFlags, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { scatter, sgeBytes } from '../device/sge-list.ts';
import { within } from '../device/memory.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { remotePlace } from '../device/protection.ts';
import { announced } from '../rc-responder/access.ts';
import { lengthFits } from '../rc-responder/length.ts';
import { isFirst, isLast, type Position, type Request } from '../rc-responder/request.ts';
import type { Refusal } from '../rc-responder/refuse.ts';
import { store } from '../rc-responder/write.ts';
import { storeRefused } from './answer-faults.ts';
import type { OooQp } from './qp.ts';
import { numberedWqe, overlapsUnfinished } from './receive-wqes.ts';

/** What stands against a packet: it waits for a receive WQE, is dropped in silence, or ends the connection. */
export type Objection = { kind: 'not-ready' } | { kind: 'drop' } | { kind: 'refuse'; refusal: Refusal };

const overrunning = Uint8Array.of(0xee);
const notReady: Objection = { kind: 'not-ready' };
const dropped: Objection = { kind: 'drop' };

export function invalid(psn: number, wqe?: RecvWqe): Objection {
  return {
    kind: 'refuse',
    refusal: {
      nak: 'invalid-request',
      psn,
      wqe,
      status: 'IBV_WC_LOC_QP_OP_ERR',
      event: 'IBV_EVENT_QP_REQ_ERR',
    },
  };
}

export function denied(psn: number): Objection {
  return {
    kind: 'refuse',
    refusal: {
      nak: 'remote-access-error',
      psn,
      status: 'IBV_WC_LOC_ACCESS_ERR',
      event: 'IBV_EVENT_QP_ACCESS_ERR',
    },
  };
}

/** Puts the payload of a SEND or WRITE packet where it belongs, or says why not; nothing is placed then. */
export function placeData(
  core: Core,
  qp: OooQp,
  packet: Packet,
  request: Extract<Request, { kind: 'send' | 'write' }>,
): Objection | undefined {
  const { position } = request;
  return request.kind === 'send'
    ? placeSend(core, qp, packet, position)
    : placeWrite(core, qp, packet, position, request.immediate);
}

/** Whether the offset can be that of a packet with this position in its message. */
function offsetFits(qp: OooQp, offset: number, position: Position): boolean {
  return isFirst(position) ? offset === 0 : offset > 0 && offset % qp.mtu === 0;
}

/** The number of the receive WQE that a packet names, as far as it is one of the next ones. */
function numberOf(core: Core, qp: OooQp, { ooeth, psn }: Packet): number | undefined {
  const { recvWqeSn } = qp.ooo.responder;
  if (core.fault === 'ooo-matched-by-arrival') return recvWqeSn;
  if (ooeth === undefined || (ooeth.flags & ooethFlags.recvWqe) === 0) return undefined;
  const ahead = psnDiff(ooeth.recvWqeSn, recvWqeSn);
  // No more messages than packets lie in between.
  return ahead < 0 || ahead > psnDiff(psn, qp.responder.epsn) ? undefined : ooeth.recvWqeSn;
}

function placeSend(core: Core, qp: OooQp, packet: Packet, position: Position): Objection | undefined {
  const { psn, payload, ooeth } = packet;
  const sn = numberOf(core, qp, packet);
  if (sn === undefined || ooeth === undefined) return invalid(psn);
  const wqe = numberedWqe(core, qp, sn);
  if (wqe === undefined) return notReady;
  if (wqe.malformed !== undefined)
    return refusal(psn, wqe, 'remote-operational-error', 'IBV_WC_LOC_QP_OP_ERR');
  const offset = core.fault === 'ooo-sends-appended' ? appended(qp, packet, ooeth.offset) : ooeth.offset;
  if (core.fault === 'ooo-placed-in-turn' && psn !== qp.responder.epsn) return undefined;
  if (!lengthFits(core, qp, packet, position) || !offsetFits(qp, ooeth.offset, position))
    return invalid(psn, wqe);
  const early = psn !== qp.responder.epsn;
  const guarded =
    core.config.outOfOrder.fence === 'indicator' && core.fault !== 'ooo-receive-overlap-unguarded';
  if (early && guarded && overlapsUnfinished(qp, sn)) return dropped;
  const room = Math.min(sgeBytes(wqe.sg_list), core.config.maxMessageBytes) - offset;
  if (payload.length > room && core.fault === 'ooo-long-send-truncated') {
    if (room > 0) scatter(core.memory, wqe.sg_list, offset, payload.subarray(0, room), qp.receiveQueue.pd);
    return undefined;
  }
  if (payload.length > room) return refusal(psn, wqe, 'invalid-request', 'IBV_WC_LOC_LEN_ERR');
  const stored = scatter(core.memory, wqe.sg_list, offset, payload, qp.receiveQueue.pd);
  if (!stored && core.fault !== 'ooo-receive-fault-ignored')
    return refusal(psn, wqe, 'remote-operational-error', 'IBV_WC_LOC_PROT_ERR');
  return undefined;
}

/** Where the mutant puts data that believes its packets to come in order. */
function appended(qp: OooQp, { ooeth }: Packet, offset: number): number {
  let before = 0;
  for (const { packet } of qp.ooo.responder.arrived.values())
    if (packet.ooeth?.recvWqeSn === ooeth?.recvWqeSn) before += packet.payloadLength;
  const { message } = qp.ooo.responder;
  return Math.min(offset, before + (message?.kind === 'send' ? message.received : 0));
}

function refusal(
  psn: number,
  wqe: RecvWqe,
  nak: NonNullable<Refusal['nak']>,
  status: Refusal['status'],
): Objection {
  return { kind: 'refuse', refusal: { nak, psn, wqe, status, event: 'IBV_EVENT_QP_REQ_ERR' } };
}

function placeWrite(
  core: Core,
  qp: OooQp,
  packet: Packet,
  position: Position,
  immediate: boolean,
): Objection | undefined {
  const { psn, payload, reth, ooeth } = packet;
  const allowed =
    qp.access.includes('IBV_ACCESS_REMOTE_WRITE') || core.fault === 'ooo-disabled-operation-done';
  if (!allowed || reth === undefined || ooeth === undefined) return invalid(psn);
  const length = announced(core, reth);
  const end = ooeth.offset + payload.length;
  const whole = isLast(position) ? end === length : length !== undefined && end < length;
  if (!whole || !lengthFits(core, qp, packet, position) || !offsetFits(qp, ooeth.offset, position))
    return invalid(psn);
  if (immediate) {
    const sn = numberOf(core, qp, packet);
    if (sn === undefined) return invalid(psn);
    const wqe = numberedWqe(core, qp, sn);
    if (wqe === undefined) return notReady;
    if (wqe.malformed !== undefined)
      return refusal(psn, wqe, 'remote-operational-error', 'IBV_WC_LOC_QP_OP_ERR');
  }
  // The R_Key of a zero-length WRITE is not validated.
  if (length === 0) return undefined;
  const unchecked = core.fault === 'ooo-access-checked-in-first-only' && !isFirst(position);
  const va = reth.va + BigInt(ooeth.offset);
  const region = core.memory.byRkey(reth.rkey);
  const place = unchecked
    ? region?.valid === true
      ? within(region, va, payload.length, 32)
      : undefined
    : remotePlace(core.memory, reth.rkey, va, payload.length, qp.pd, 'IBV_ACCESS_REMOTE_WRITE');
  if (place === undefined) {
    storeRefused(core, packet);
    return denied(psn);
  }
  if (core.fault === 'ooo-placed-in-turn' && psn !== qp.responder.epsn) return undefined;
  if (core.fault === 'ooo-write-offset-ignored') place.offset -= ooeth.offset;
  store(core, place, 0, payload, isLast(position));
  if (core.fault === 'ooo-write-overruns') store(core, place, payload.length, overrunning, false);
  return undefined;
}
