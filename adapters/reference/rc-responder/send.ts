import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { receiveDomain, type RecvWqe } from '../device/receive-queue.ts';
import { scatter, sgeBytes } from '../device/memory/sge-list.ts';
import { seam } from '../seam.ts';
import { lengthFits } from './length.ts';
import { endMessage, goOn } from './message.ts';
import { completeReceive, takeWqe } from './receive.ts';
import { refuse, refuseLength, refuseMalformed } from './refuse.ts';
import { oweAck } from './reply.ts';
import { isLast, type Position } from './request.ts';

/** A SEND packet with the expected PSN, in its place. */
export function executeSend(core: Core, qp: QueuePair, packet: Packet, position: Position): void {
  const { message } = qp.responder;
  const { psn, payload } = packet;
  let wqe: RecvWqe | undefined;
  let received = 0;
  if (message?.kind === 'send') ({ wqe, received } = message);
  else wqe = takeWqe(core, qp, psn);
  if (wqe === undefined) return;
  if (wqe.malformed !== undefined) {
    refuseMalformed(core, qp, psn, wqe);
    return;
  }
  if (!lengthFits(core, qp, packet, position)) {
    refuseLength(core, qp, psn, wqe);
    return;
  }
  const room = Math.min(sgeBytes(wqe.sg_list), core.config.maxMessageBytes) - received;
  const data = fitting(core, qp, payload, room);
  const event = 'IBV_EVENT_QP_REQ_ERR';
  if (data === undefined) {
    refuse(core, qp, { nak: 'invalid-request', psn, wqe, status: 'IBV_WC_LOC_LEN_ERR', event });
    return;
  }
  if (!storeSend(core, qp, wqe, received, data, isLast(position))) {
    refuse(core, qp, { nak: 'remote-operational-error', psn, wqe, status: 'IBV_WC_LOC_PROT_ERR', event });
    return;
  }
  received += payload.length;
  if (!isLast(position)) {
    goOn(core, qp, packet, { kind: 'send', wqe, received });
    return;
  }
  const rkey = packet.invalidateRkey;
  if (rkey !== undefined && !invalidateKey(core, qp, rkey)) {
    refuseInvalidation(core, qp, psn, wqe);
    return;
  }
  endMessage(qp);
  completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV', received);
  oweAck(core, qp, packet.ackReq);
}

/** Takes away what an R_Key opens; false where the QP may not do that. */
export const invalidateKey = seam(({ memory }: Core, qp: QueuePair, rkey: number): boolean =>
  memory.invalidate(rkey, qp),
);

/** Refuses a SEND for the R_Key that it is to invalidate; nothing is sent to the peer. */
export const refuseInvalidation = seam((core: Core, qp: QueuePair, psn: number, wqe: RecvWqe): void => {
  refuse(core, qp, { psn, wqe, status: 'IBV_WC_MW_BIND_ERR', event: 'IBV_EVENT_QP_ACCESS_ERR' });
});

/** Puts the data of a packet behind what has been received of its message; false where the WQE's memory may not be written. */
export const storeSend = seam(
  (core: Core, qp: QueuePair, wqe: RecvWqe, received: number, data: Uint8Array, _last: boolean): boolean =>
    scatter(core.memory, wqe.sg_list, received, data, receiveDomain(core, qp)),
);

/** What is stored of a payload for which there are `room` bytes left; `undefined`: it is too long. */
export const fitting = seam((_core: Core, _qp: QueuePair, payload: Uint8Array, room: number) =>
  payload.length > room ? undefined : payload,
);
