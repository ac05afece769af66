import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { sgeBytes } from '../device/memory.ts';
import type { QueuePair } from '../device/qp.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { completeReceive, takeWqe } from './receive.ts';
import { guessTailLoss } from './tail-loss.ts';
import { refuse, refuseInvalid, refuseMalformed } from './refuse.ts';
import { oweAck } from './reply.ts';
import { isLast, lengthFits, type Position } from './position.ts';

/** A SEND packet with the expected PSN, in its place. */
export function executeSend(core: Core, qp: QueuePair, packet: Packet, position: Position): void {
  const r = qp.responder;
  const { psn, payload } = packet;
  let wqe: RecvWqe | undefined;
  let received = 0;
  if (r.message?.kind === 'send') ({ wqe, received } = r.message);
  else wqe = takeWqe(core, qp, psn);
  if (wqe === undefined) return;
  if (wqe.malformed !== undefined) {
    refuseMalformed(core, qp, psn, wqe);
    return;
  }
  if (!lengthFits(core, qp, packet, position)) {
    refuseInvalid(core, qp, psn, wqe);
    return;
  }
  const room = Math.min(sgeBytes(wqe.sg_list), core.config.maxMessageBytes) - received;
  if (payload.length > room && core.fault !== 'long-send-truncated') {
    refuse(core, qp, {
      nak: 'invalid-request',
      psn,
      wqe,
      status: 'IBV_WC_LOC_LEN_ERR',
      event: 'IBV_EVENT_QP_REQ_ERR',
    });
    return;
  }
  const data = payload.length > room ? payload.subarray(0, room) : payload;
  if (!core.memory.scatter(wqe.sg_list, received, data, qp.receiveQueue.pd)) {
    refuse(core, qp, {
      nak: 'remote-operational-error',
      psn,
      wqe,
      status: 'IBV_WC_LOC_PROT_ERR',
      event: 'IBV_EVENT_QP_REQ_ERR',
    });
    return;
  }
  received += payload.length;
  if (core.fault === 'msn-per-packet' && !isLast(position)) r.msn = psnAdd(r.msn, 1);
  if (!isLast(position)) {
    r.epsn = psnAdd(r.epsn, 1);
    r.message = { kind: 'send', wqe, received };
    if (core.fault !== 'send-packet-unacknowledged') oweAck(core, qp, packet.ackReq);
    guessTailLoss(core, qp);
    return;
  }
  const rkey = packet.invalidateRkey;
  if (rkey !== undefined && !core.memory.invalidate(rkey, qp.pd)) {
    refuse(core, qp, { psn, wqe, status: 'IBV_WC_LOC_QP_OP_ERR', event: 'IBV_EVENT_QP_REQ_ERR' });
    return;
  }
  r.epsn = psnAdd(r.epsn, 1);
  r.message = undefined;
  r.msn = psnAdd(r.msn, 1);
  completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV', received);
  oweAck(core, qp, packet.ackReq);
}
