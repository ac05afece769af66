import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { announce } from '../rc-responder/announce.ts';
import { completeReceive } from '../rc-responder/receive.ts';
import { refuse } from '../rc-responder/refuse.ts';
import { sendNak, sendRnrNak } from '../rc-responder/reply.ts';
import { isFirst, isLast, requestOf, type Request } from '../rc-responder/request.ts';
import { answerAgain, execute, objection } from './execute.ts';
import {
  acknowledgedUnplaced,
  catchUp,
  finishedFault,
  invalidated,
  misplace,
  neverExecuted,
  placeInTurn,
  putOff,
  repeatPlacement,
  takenForArrived,
} from './faults.ts';
import { invalid, placeData, type Objection } from './place.ts';
import type { OooQp } from './qp.ts';
import { numberedWqe, releaseWqe } from './receive-wqes.ts';
import { acknowledgeArrived } from './reply.ts';
import type { Arrival } from './state.ts';

/** A request packet whose headers are sound, at an out-of-order QP that can receive. */
export function handleOutOfOrderRequest(core: Core, qp: OooQp, packet: Packet): void {
  announce(core, qp);
  const r = qp.ooo.responder;
  const ahead = psnDiff(packet.psn, qp.responder.epsn);
  r.trigger = packet.psn;
  if (ahead < 0) {
    repeatPlacement(core, qp, packet);
    if (core.fault === 'ooo-duplicate-silent') return;
    if (!answerAgain(core, qp, packet)) acknowledgeArrived(core, qp, false);
    return;
  }
  if (ahead >= core.config.outOfOrder.window && core.fault !== 'ooo-window-unbounded') return;
  if (ahead > 0 && core.fault === 'ooo-early-dropped') return;
  if (ahead > 0 && core.fault === 'ooo-sequence-nak') {
    sendNak(core, qp, 'psn-sequence-error', qp.responder.epsn);
    return;
  }
  if (r.arrived.has(packet.psn) || takenForArrived(core, qp, packet)) {
    repeatPlacement(core, qp, packet);
    if (core.fault !== 'ooo-duplicate-early-silent') acknowledgeArrived(core, qp, true);
    return;
  }
  const request = requestOf(packet);
  const objected = arrive(core, qp, packet, request);
  if (objected !== undefined) {
    object(core, qp, packet, objected);
    return;
  }
  r.arrived.set(packet.psn, { packet, request });
  if (core.fault === 'ooo-invalidates-early' && packet.invalidateRkey !== undefined)
    core.memory.invalidate(packet.invalidateRkey, qp.pd);
  if (ahead > 0) {
    misplace(core, qp, { packet, request });
    acknowledgeArrived(core, qp, true);
    return;
  }
  advance(core, qp, packet);
}

/** Places what a packet brings, or looks at what it asks for; what stands against it, if anything does. */
function arrive(core: Core, qp: OooQp, packet: Packet, request: Request): Objection | undefined {
  switch (request.kind) {
    case 'send':
    case 'write':
      return placeData(core, qp, packet, request);
    case 'read':
    case 'compare-swap':
    case 'fetch-add':
      return objection(core, qp, packet);
    case 'unsupported':
      return invalid(packet.psn);
  }
}

/** Only the packet with the expected PSN is refused; one that comes early is as good as lost. */
function object(core: Core, qp: OooQp, packet: Packet, objected: Objection): void {
  const early = packet.psn !== qp.responder.epsn;
  if (early && acknowledgedUnplaced(core, qp)) return;
  if (early && core.fault !== 'ooo-refuses-early') return;
  if (core.fault === 'ooo-refusal-missing') return;
  switch (objected.kind) {
    case 'drop':
      return;
    case 'not-ready':
      sendRnrNak(core, qp, packet.psn);
      return;
    case 'refuse':
      refuseFor(core, qp, objected);
  }
}

function refuseFor(core: Core, qp: OooQp, { refusal }: Extract<Objection, { kind: 'refuse' }>): void {
  const r = qp.ooo.responder;
  r.trigger = refusal.psn;
  // The WQE of a SEND under way is the oldest one that was taken.
  const oldest = r.taken[0]?.wqe;
  const wqe = refusal.wqe ?? (r.message?.kind === 'send' ? oldest : undefined);
  if (wqe !== undefined && wqe === oldest) r.taken.shift();
  refuse(core, qp, { ...refusal, wqe });
}

/** The packet with the expected PSN is here: everything moves on as far as packets have arrived. */
function advance(core: Core, qp: OooQp, packet: Packet): void {
  const r = qp.ooo.responder;
  let passed = 0;
  let answered = false;
  for (;;) {
    const { epsn } = qp.responder;
    const arrival = r.arrived.get(epsn);
    if (arrival === undefined) break;
    r.arrived.delete(epsn);
    placeInTurn(core, qp, arrival);
    const objected = pass(core, qp, arrival);
    if (objected !== undefined) {
      // What came in order is acknowledged by the NAK.
      if (objected.kind === 'refuse') refuseFor(core, qp, objected);
      else if (objected.kind === 'not-ready') sendRnrNak(core, qp, epsn);
      return;
    }
    passed++;
    answered = arrival.request.kind !== 'send' && arrival.request.kind !== 'write';
  }
  catchUp(qp);
  r.trigger = packet.psn;
  if (answered) return;
  const filled = (passed > 1 || r.arrived.size > 0) && core.fault !== 'ooo-filling-silent';
  const asked = packet.ackReq && core.fault !== 'ooo-ack-request-ignored';
  if (asked || filled) acknowledgeArrived(core, qp, false);
}

/** One packet that has its turn: message by message in order, as on RC. */
function pass(core: Core, qp: OooQp, { packet, request }: Arrival): Objection | undefined {
  const r = qp.ooo.responder;
  const { psn } = packet;
  if (request.kind === 'send' || request.kind === 'write') {
    const { position } = request;
    const starts = isFirst(position);
    const fits = starts
      ? r.message === undefined
      : r.message?.kind === request.kind && r.message.received === packet.ooeth?.offset;
    if (!fits) return invalid(psn);
    const received = (r.message?.received ?? 0) + packet.payloadLength;
    if (!isLast(position)) {
      r.message = { kind: request.kind, received };
      if (core.fault === 'ooo-msn-per-packet') qp.responder.msn = psnAdd(qp.responder.msn, 1);
      qp.responder.epsn = psnAdd(psn, 1);
      return undefined;
    }
    return finish(core, qp, packet, request, received);
  }
  if (r.message !== undefined) return invalid(psn);
  qp.responder.epsn = psnAdd(psn, 1);
  const objected = neverExecuted(core, qp, packet) ? undefined : execute(core, qp, packet);
  if (objected !== undefined) qp.responder.epsn = psn;
  return objected;
}

/** The last packet of a SEND or WRITE, with everything in front of it here. */
function finish(
  core: Core,
  qp: OooQp,
  packet: Packet,
  request: Extract<Request, { kind: 'send' | 'write' }>,
  received: number,
): Objection | undefined {
  const r = qp.ooo.responder;
  const consumes = request.kind === 'send' || request.immediate;
  const { psn, invalidateRkey } = packet;
  if (consumes && numberedWqe(core, qp, r.recvWqeSn) === undefined) return { kind: 'not-ready' };
  if (consumes && packet.ooeth?.recvWqeSn !== r.recvWqeSn && core.fault !== 'ooo-matched-by-arrival')
    return invalid(psn);
  if (invalidateRkey !== undefined && !invalidated(core, qp, invalidateRkey)) {
    const wqe = r.taken[0]?.wqe;
    return {
      kind: 'refuse',
      refusal: { psn, wqe, status: 'IBV_WC_LOC_QP_OP_ERR', event: 'IBV_EVENT_QP_REQ_ERR' },
    };
  }
  r.message = undefined;
  qp.responder.epsn = psnAdd(psn, 1);
  const uncounted = core.fault === 'ooo-msn-not-for-writes' && request.kind === 'write';
  if (!uncounted) qp.responder.msn = psnAdd(qp.responder.msn, 1);
  if (!consumes) return undefined;
  const wqe = releaseWqe(core, qp);
  if (wqe === undefined) return undefined;
  const opcode = request.kind === 'send' ? 'IBV_WC_RECV' : 'IBV_WC_RECV_RDMA_WITH_IMM';
  const { packet: told, bytes } = finishedFault(core, qp, packet, received);
  if (told === undefined) return undefined;
  const complete = (): void => completeReceive(core, qp, told, wqe, opcode, bytes);
  if (core.fault === 'ooo-completions-swapped') putOff(qp, complete);
  else complete();
  return undefined;
}
