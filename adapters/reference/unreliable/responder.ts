import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../core.ts';
import { sgeBytes } from '../memory.ts';
import type { QueuePair } from '../qp.ts';
import type { RecvWqe } from '../receive-queue.ts';
import { isFirst, isLast, lengthFits, requestOf, type Position } from '../responder/position.ts';
import { completeReceive, nextWqe } from '../responder/receive.ts';
import { announce } from '../responder/responder.ts';
import { fitsMessage, open, store } from '../responder/write.ts';
import { abandon, failReceive, giveBack, keeps } from './receive-fault.ts';

/**
 * A packet of the UC service whose headers are sound and whose QP can receive. Nothing is ever answered: what does not go on
 * from the packet before ends the message under way, and the next First or Only begins a new one wherever its PSN is.
 */
export function handleUnreliable(core: Core, qp: QueuePair, packet: Packet): void {
  announce(core, qp);
  const r = qp.responder;
  const request = requestOf(packet);
  if (packet.psn !== r.epsn) abandon(core, qp);
  r.epsn = psnAdd(packet.psn, 1);
  if (request.kind !== 'send' && request.kind !== 'write') {
    abandon(core, qp);
    return;
  }
  const { position } = request;
  const goesOn = r.message !== undefined && !isFirst(position) && r.message.kind === request.kind;
  if (!goesOn) abandon(core, qp);
  if (!goesOn && !isFirst(position)) return;
  if (request.kind === 'send') receiveSend(core, qp, packet, position);
  else receiveWrite(core, qp, packet, position, request.immediate);
}

function receiveSend(core: Core, qp: QueuePair, packet: Packet, position: Position): void {
  const r = qp.responder;
  const { message } = r;
  const { payload } = packet;
  let received = message?.kind === 'send' ? message.received : 0;
  const wqe = message?.kind === 'send' ? message.wqe : nextWqe(core, qp);
  r.message = undefined;
  if (wqe === undefined) return;
  if (wqe.malformed !== undefined) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_QP_OP_ERR');
    return;
  }
  const tooLong = received + payload.length > Math.min(sgeBytes(wqe.sg_list), core.config.maxMessageBytes);
  if (tooLong || !lengthFits(core, qp, packet, position)) {
    refuse(core, qp, wqe, 'IBV_WC_LOC_LEN_ERR');
    return;
  }
  if (!core.memory.scatter(wqe.sg_list, received, payload, qp.receiveQueue.pd)) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  received += payload.length;
  if (isLast(position)) completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV', received);
  else r.message = { kind: 'send', wqe, received };
}

function receiveWrite(
  core: Core,
  qp: QueuePair,
  packet: Packet,
  position: Position,
  immediate: boolean,
): void {
  const r = qp.responder;
  const { message } = r;
  const { payload } = packet;
  r.message = undefined;
  if (!qp.access.includes('IBV_ACCESS_REMOTE_WRITE')) return;
  const opened = message?.kind === 'write' ? message : open(core, qp, packet);
  if (opened === 'invalid' || opened === 'denied') {
    refuseWrite(core, qp, immediate, opened === 'denied' ? 'IBV_WC_LOC_ACCESS_ERR' : 'IBV_WC_LOC_LEN_ERR');
    return;
  }
  if (!lengthFits(core, qp, packet, position) || !fitsMessage(core, opened, payload.length, position)) {
    refuseWrite(core, qp, immediate, 'IBV_WC_LOC_LEN_ERR');
    return;
  }
  let wqe: RecvWqe | undefined;
  if (immediate) {
    wqe = nextWqe(core, qp);
    if (wqe === undefined) return;
    if (wqe.malformed !== undefined) {
      failReceive(core, qp, wqe, 'IBV_WC_LOC_QP_OP_ERR');
      return;
    }
  }
  store(core, opened.place, opened.received, payload, isLast(position));
  if (!isLast(position)) r.message = { ...opened, kind: 'write', received: opened.received + payload.length };
  else if (wqe !== undefined)
    completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV_RDMA_WITH_IMM', opened.length);
}

/** A message that its receive WQE has no room for, or whose packets have a wrong length. */
function refuse(core: Core, qp: QueuePair, wqe: RecvWqe, status: WcStatus): void {
  if (core.config.ucFault === 'complete' || keeps(core, qp)) failReceive(core, qp, wqe, status);
  else giveBack(core, qp, wqe);
}

/** A WRITE that may not be carried out; only one with immediate has something to report it on. */
function refuseWrite(core: Core, qp: QueuePair, immediate: boolean, status: WcStatus): void {
  const wqe = immediate && core.config.ucFault === 'complete' ? nextWqe(core, qp) : undefined;
  if (wqe !== undefined) failReceive(core, qp, wqe, status);
}
