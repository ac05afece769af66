import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { scatter, sgeBytes } from '../device/sge-list.ts';
import type { QueuePair } from '../device/qp.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { allows } from '../rc-responder/access.ts';
import { announce } from '../rc-responder/announce.ts';
import { lengthFits } from '../rc-responder/length.ts';
import { completeReceive, nextWqe } from '../rc-responder/receive.ts';
import { isFirst, isLast, requestOf, type Position } from '../rc-responder/request.ts';
import { fitting } from '../rc-responder/send.ts';
import { consumesWqe, fitsMessage, granted, open, store } from '../rc-responder/write.ts';
import { acknowledgeUnasked, refuseGap } from './answer.ts';
import { abandon, beginningOf, failReceive, giveBack, keeps } from './receive-fault.ts';

/**
 * A packet of the UC service whose headers are sound and whose QP can receive. Nothing is ever answered: what does not go on
 * from the packet before ends the message under way, and the next First or Only begins a new one wherever its PSN is.
 */
export function handleUnreliable(core: Core, qp: QueuePair, packet: Packet): void {
  announce(core, qp);
  const r = qp.responder;
  if (packet.psn !== r.epsn && !acrossGap(core, qp, packet)) return;
  r.epsn = psnAdd(packet.psn, 1);
  const request = requestOf(packet);
  if (request.kind !== 'send' && request.kind !== 'write') {
    abandon(core, qp);
    return;
  }
  const { position } = request;
  const { fault } = core;
  let { kind } = request;
  if (fault === 'uc-kinds-mixed' && r.message !== undefined && !isFirst(position)) kind = r.message.kind;
  if (fault === 'uc-first-in-message-dropped' && r.message !== undefined && isFirst(position)) {
    abandon(core, qp);
    return;
  }
  const goesOn = r.message !== undefined && !isFirst(position) && r.message.kind === kind;
  if (!goesOn) abandon(core, qp);
  const begins = isFirst(position) || (fault === 'uc-middle-starts' && kind === 'send');
  if (!goesOn && !begins) return;
  if (kind === 'send') receiveSend(core, qp, packet, position);
  else receiveWrite(core, qp, packet, position, request.immediate);
}

/** A packet that does not follow the one before: the message under way is given up. False where a mutant does not go on. */
function acrossGap(core: Core, qp: QueuePair, packet: Packet): boolean {
  const { fault } = core;
  const { epsn } = qp.responder;
  if (fault === 'uc-gap-ignored') return true;
  if (fault === 'uc-behind-as-duplicate' && psnDiff(packet.psn, epsn) < 0) return false;
  abandon(core, qp);
  refuseGap(core, qp);
  if (fault === 'uc-gap-fatal') core.fail(qp);
  return fault !== 'uc-resync-missing' && fault !== 'uc-gap-fatal';
}

function receiveSend(core: Core, qp: QueuePair, packet: Packet, position: Position): void {
  const r = qp.responder;
  const { message } = r;
  const { payload } = packet;
  const { fault } = core;
  let received = message?.kind === 'send' ? message.received : 0;
  const wqe = message?.kind === 'send' ? message.wqe : nextWqe(core, qp);
  r.message = undefined;
  if (wqe === undefined) {
    if (fault === 'uc-no-receive-fatal') core.fail(qp);
    return;
  }
  if (wqe.malformed !== undefined) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_QP_OP_ERR');
    return;
  }
  const room = Math.min(sgeBytes(wqe.sg_list), core.config.maxMessageBytes) - received;
  const data = fitting(core, qp, payload, room);
  const tooLong = data === undefined;
  if (tooLong || !lengthFits(core, qp, packet, position)) {
    if (!tooLong && fault === 'uc-request-event') report(core, qp);
    if (tooLong && core.config.ucFault === 'complete') failReceive(core, qp, wqe, 'IBV_WC_LOC_LEN_ERR');
    else if (keeps(core, qp)) failReceive(core, qp, wqe, 'IBV_WC_LOC_LEN_ERR');
    else giveBack(core, qp, wqe);
    return;
  }
  if (!scatter(core.memory, wqe.sg_list, received + beginningOf(core, wqe), data, qp.receiveQueue.pd)) {
    failReceive(core, qp, wqe, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  received += payload.length;
  if (!isLast(position)) {
    r.message = { kind: 'send', wqe, received };
    return;
  }
  completeReceive(core, qp, packet, wqe, 'IBV_WC_RECV', received);
  acknowledgeUnasked(core, qp, packet);
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
  if (!allows(core, qp, 'IBV_ACCESS_REMOTE_WRITE')) {
    refuseWrite(core, qp, false, 'IBV_WC_LOC_ACCESS_ERR');
    return;
  }
  const opened = message?.kind === 'write' ? message : open(core, qp, packet);
  if (opened === 'invalid') return;
  if (opened === 'denied' || !granted(core, opened)) {
    refuseWrite(core, qp, immediate, 'IBV_WC_LOC_ACCESS_ERR');
    return;
  }
  if (!lengthFits(core, qp, packet, position) || !fitsMessage(core, opened, payload.length, position)) {
    if (core.fault === 'uc-request-event') report(core, qp);
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
  acknowledgeUnasked(core, qp, packet);
}

/** A WRITE that may not be carried out; only one with immediate has something to report it on. */
function refuseWrite(core: Core, qp: QueuePair, immediate: boolean, status: WcStatus): void {
  if (core.fault === 'uc-access-event') core.raise({ event_type: 'IBV_EVENT_QP_ACCESS_ERR', qp_num: qp.num });
  if (core.fault === 'uc-refused-write-fatal') core.fail(qp);
  const wqe = immediate && core.config.ucFault === 'complete' ? nextWqe(core, qp) : undefined;
  if (wqe !== undefined) failReceive(core, qp, wqe, status);
}

function report(core: Core, qp: QueuePair): void {
  core.raise({ event_type: 'IBV_EVENT_QP_REQ_ERR', qp_num: qp.num });
}
