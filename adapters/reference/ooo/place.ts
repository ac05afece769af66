import { ooethFlags, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { scatter, sgeBytes, usable } from '../device/memory/sge-list.ts';
import type { Reth } from '../device/headers.ts';
import type { Place } from '../device/memory/memory.ts';
import { receiveDomain, type RecvWqe } from '../device/receive-queue.ts';
import { remotePlace } from '../device/memory/protection.ts';
import { announced } from '../rc-responder/access.ts';
import { lengthFits } from '../rc-responder/length.ts';
import { isFirst, isLast, type Position, type Request } from '../rc-responder/request.ts';
import type { Refusal } from '../rc-responder/refuse.ts';
import { store } from '../rc-responder/write.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';
import { numberedWqe, overlapsUnfinished } from './receive-wqes.ts';

/** What stands against a packet: it waits for a receive WQE, is dropped in silence, or ends the connection. */
export type Objection = { kind: 'not-ready' } | { kind: 'drop' } | { kind: 'refuse'; refusal: Refusal };

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
export const numberOf = seam((_core: Core, qp: OooQp, { ooeth, psn }: Packet): number | undefined => {
  if (ooeth === undefined || (ooeth.flags & ooethFlags.recvWqe) === 0) return undefined;
  const ahead = psnDiff(ooeth.recvWqeSn, qp.ooo.responder.recvWqeSn);
  // No more messages than packets lie in between.
  return ahead < 0 || ahead > psnDiff(psn, qp.responder.epsn) ? undefined : ooeth.recvWqeSn;
});

/** Whether data is placed when it comes, however early that is. */
export const placesNow = seam((_core: Core, _qp: OooQp, _packet: Packet): boolean => true);

function placeSend(core: Core, qp: OooQp, packet: Packet, position: Position): Objection | undefined {
  const { psn, payload, ooeth } = packet;
  const sn = numberOf(core, qp, packet);
  if (sn === undefined || ooeth === undefined) return invalid(psn);
  const wqe = numberedWqe(core, qp, sn);
  if (wqe === undefined) return notReady;
  if (wqe.malformed !== undefined)
    return refusal(psn, wqe, 'remote-operational-error', 'IBV_WC_LOC_QP_OP_ERR');
  const offset = offsetIn(core, qp, packet, ooeth.offset);
  if (!placesNow(core, qp, packet)) return undefined;
  if (!lengthFits(core, qp, packet, position) || !offsetFits(qp, ooeth.offset, position))
    return invalid(psn, wqe);
  if (psn !== qp.responder.epsn && meetsUnfinished(core, qp, sn)) return dropped;
  if (payload.length > roomOf(core, wqe) - offset) return objectToLong(core, qp, packet, wqe, offset);
  const aside = psn !== qp.responder.epsn && putsAside(core, qp, sn);
  if (aside) qp.ooo.responder.aside.set(psn, { wqe, offset });
  const stored = aside
    ? usable(core.memory, wqe.sg_list, offset + payload.length, receiveDomain(core, qp), true)
    : scatter(core.memory, wqe.sg_list, offset, payload, receiveDomain(core, qp));
  return stored ? undefined : objectToFault(core, psn, wqe);
}

/** What was put aside goes to its place when its turn comes. */
export function placeAside(core: Core, qp: OooQp, { psn, payload }: Packet): void {
  const { aside } = qp.ooo.responder;
  const found = aside.get(psn);
  if (found === undefined) return;
  aside.delete(psn);
  scatter(core.memory, found.wqe.sg_list, found.offset, payload, receiveDomain(core, qp));
}

/** Whether an early packet waits aside until older messages are complete that have some of its buffer. */
export const putsAside = seam(
  ({ config }: Core, qp: OooQp, sn: number): boolean =>
    config.outOfOrder.fence === 'guard' && overlapsUnfinished(qp, sn),
);

/** Where in the buffer of its message the data of a SEND belongs. */
export const offsetIn = seam((_core: Core, _qp: OooQp, _packet: Packet, named: number): number => named);

/** Whether the buffer of an early packet overlaps that of an older message. */
export const meetsUnfinished = seam(
  ({ config }: Core, qp: OooQp, sn: number): boolean =>
    config.outOfOrder.fence === 'indicator' && overlapsUnfinished(qp, sn),
);

/** Bytes of the longest message that a WQE has room for. */
export function roomOf({ config }: Core, { sg_list }: RecvWqe): number {
  return Math.min(sgeBytes(sg_list), config.maxMessageBytes);
}

export const objectToLong = seam(
  (_core: Core, _qp: OooQp, { psn }: Packet, wqe: RecvWqe, _offset: number): Objection | undefined =>
    refusal(psn, wqe, 'invalid-request', 'IBV_WC_LOC_LEN_ERR'),
);

/** The buffer of a WQE may not be written. */
export const objectToFault = seam((_core: Core, psn: number, wqe: RecvWqe): Objection | undefined =>
  refusal(psn, wqe, 'remote-operational-error', 'IBV_WC_LOC_PROT_ERR'),
);

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
  if (!mayWrite(core, qp) || reth === undefined || ooeth === undefined) return invalid(psn);
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
  const va = reth.va + BigInt(ooeth.offset);
  const place = placeOfPacket(core, qp, packet, { ...reth, va, dmaLen: payload.length });
  if (place === undefined) return objectToAccess(core, packet);
  if (placesNow(core, qp, packet)) storeWrite(core, place, packet, isLast(position));
  return undefined;
}

export const mayWrite = seam((_core: Core, { access }: OooQp): boolean =>
  access.includes('IBV_ACCESS_REMOTE_WRITE'),
);

/** The place of the data of one packet, `reth`; `undefined` where it may not be written. */
export const placeOfPacket = seam(
  ({ memory }: Core, { pd, num }: OooQp, _packet: Packet, { rkey, va, dmaLen }: Reth): Place | undefined =>
    remotePlace(memory, rkey, va, dmaLen, pd, 'IBV_ACCESS_REMOTE_WRITE', num),
);

export const objectToAccess = seam((_core: Core, { psn }: Packet): Objection => denied(psn));

export const storeWrite = seam((core: Core, place: Place, { payload }: Packet, last: boolean): void => {
  store(core, place, 0, payload, last);
});
