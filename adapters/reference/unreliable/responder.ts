import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { receiveDomain, type RecvWqe } from '../device/receive-queue.ts';
import { scatter, sgeBytes } from '../device/memory/sge-list.ts';
import { allows } from '../rc-responder/access.ts';
import { announce } from '../rc-responder/announce.ts';
import { lengthFits } from '../rc-responder/length.ts';
import { completeReceive, nextWqe } from '../rc-responder/receive.ts';
import {
  isFirst,
  isLast,
  requestOf,
  type Message,
  type Position,
  type Request,
} from '../rc-responder/request.ts';
import { fitting } from '../rc-responder/send.ts';
import type { ResponderState } from '../rc-responder/state.ts';
import { consumesWqe, fitsMessage, granted, open, store } from '../rc-responder/write.ts';
import { seam } from '../seam.ts';
import { abandon, failReceive, giveBack, keeps } from './receive-fault.ts';
import { accept, dropUnfit, dropUnreceived } from './silence.ts';

/**
 * A packet of the UC service whose headers are sound and whose QP can receive. Nothing is ever answered: what does not go on
 * from the packet before ends the message under way, and the next First or Only begins a new one wherever its PSN is.
 */
export function handleUnreliable(core: Core, qp: QueuePair, packet: Packet): void {
  announce(core, qp);
  const r = qp.responder;
  if (packet.psn !== r.epsn && !crossGap(core, qp, packet)) return;
  r.epsn = psnAdd(packet.psn, 1);
  const request = requestIn(core, r, packet);
  if (request.kind !== 'send' && request.kind !== 'write') {
    abandon(core, qp);
    return;
  }
  const { kind, position, immediate } = request;
  const begins = opens(core, r, request);
  const goesOn = !isFirst(position) && r.message?.kind === kind;
  if (!goesOn) abandon(core, qp);
  if (!goesOn && !begins) return;
  if (kind === 'send') receiveSend(core, qp, packet, position);
  else receiveWrite(core, qp, packet, position, immediate);
}

/** A packet does not follow the one before: the message under way is given up, and the QP goes on behind the packet. */
export const crossGap = seam((core: Core, qp: QueuePair, _packet: Packet): boolean => {
  abandon(core, qp);
  return true;
});

/** What a packet asks for, given what is under way. */
export const requestIn = seam((_core: Core, _r: ResponderState, packet: Packet): Request =>
  requestOf(packet),
);

/** Whether a packet may be the first of a message. */
export const opens = seam((_core: Core, _r: ResponderState, { position }: Message): boolean =>
  isFirst(position),
);

function receiveSend(core: Core, qp: QueuePair, packet: Packet, position: Position): void {
  const r = qp.responder;
  const { message } = r;
  const { payload } = packet;
  const received = message?.kind === 'send' ? message.received : 0;
  const wqe = message?.kind === 'send' ? message.wqe : nextWqe(core, qp);
  r.message = undefined;
  if (wqe === undefined) {
    dropUnreceived(core, qp);
    return;
  }
  if (wqe.malformed !== undefined) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_QP_OP_ERR');
    return;
  }
  const room = Math.min(sgeBytes(wqe.sg_list), core.config.maxMessageBytes) - received;
  const data = fitting(core, qp, payload, room);
  if (data === undefined || !lengthFits(core, qp, packet, position)) {
    const reports = data === undefined && core.config.ucFault === 'complete';
    if (data !== undefined) dropUnfit(core, qp);
    if (reports || keeps(core, qp)) failReceive(core, qp, wqe, 'IBV_WC_LOC_LEN_ERR');
    else giveBack(core, qp, wqe);
    return;
  }
  if (!storeSend(core, qp, wqe, received, data)) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  if (!isLast(position)) {
    r.message = { kind: 'send', wqe, received: received + payload.length };
    return;
  }
  completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV', received + payload.length);
  accept(core, qp, packet);
}

/** Puts the data of a packet behind what has been received of its message; false on a protection error. */
export const storeSend = seam((core: Core, qp: QueuePair, wqe: RecvWqe, received: number, data: Uint8Array) =>
  scatter(core.memory, wqe.sg_list, received, data, receiveDomain(core, qp)),
);

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
  if (!allows(core, qp, 'IBV_ACCESS_REMOTE_WRITE')) {
    refuseWrite(core, qp, false, 'IBV_WC_LOC_ACCESS_ERR');
    return;
  }
  const opened = message?.kind === 'write' ? message : open(core, qp, packet);
  if (opened === 'invalid') return;
  if (opened === 'denied' || !granted(core, opened, qp)) {
    refuseWrite(core, qp, immediate, 'IBV_WC_LOC_ACCESS_ERR');
    return;
  }
  if (!lengthFits(core, qp, packet, position) || !fitsMessage(core, opened, payload.length, position)) {
    dropUnfit(core, qp);
    return;
  }
  let wqe: RecvWqe | undefined;
  if (consumesWqe(core, immediate)) {
    wqe = nextWqe(core, qp);
    if (wqe === undefined) return;
    if (wqe.malformed !== undefined) {
      failReceive(core, qp, wqe, 'IBV_WC_LOC_QP_OP_ERR');
      return;
    }
  }
  store(core, opened.place, opened.received, payload, isLast(position));
  if (!isLast(position)) {
    r.message = { ...opened, kind: 'write', received: opened.received + payload.length };
    return;
  }
  if (wqe !== undefined) completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV_RDMA_WITH_IMM', opened.length);
  accept(core, qp, packet);
}

/** A WRITE that may not be carried out; only one with immediate has something to report it on. */
export const refuseWrite = seam((core: Core, qp: QueuePair, immediate: boolean, status: WcStatus): void => {
  const wqe = immediate && core.config.ucFault === 'complete' ? nextWqe(core, qp) : undefined;
  if (wqe !== undefined) failReceive(core, qp, wqe, status);
});
