import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { WcOpcode } from '../../../spec/verbs.ts';
import type { Core } from '../device/core.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { announce } from '../rc-responder/announce.ts';
import { completeReceive } from '../rc-responder/receive.ts';
import { refuse } from '../rc-responder/refuse.ts';
import { sendRnrNak } from '../rc-responder/reply.ts';
import { isFirst, isLast, requestOf, type Message, type Request } from '../rc-responder/request.ts';
import { seam } from '../seam.ts';
import { countMessage } from './count.ts';
import { answerAgain, execute, objection } from './execute.ts';
import { invalid, placeAside, placeData, type Objection } from './place.ts';
import type { OooQp } from './qp.ts';
import { numberedWqe, releaseWqe } from './receive-wqes.ts';
import { acknowledgeArrived } from './reply.ts';
import type { Arrival } from './state.ts';

/** A request packet whose headers are sound, at an out-of-order QP that can receive. */
export function handleOutOfOrderRequest(core: Core, qp: OooQp, packet: Packet): void {
  announce(core, qp);
  const ahead = psnDiff(packet.psn, qp.responder.epsn);
  qp.ooo.responder.trigger = packet.psn;
  if (ahead < 0) answerDuplicate(core, qp, packet);
  else if (inWindow(core, ahead)) receive(core, qp, packet);
}

/** A packet from in front of the expected one. */
export const answerDuplicate = seam((core: Core, qp: OooQp, packet: Packet): void => {
  if (!answerAgain(core, qp, packet)) acknowledgeArrived(core, qp, false);
});

/** What is further ahead than the window is dropped. */
export const inWindow = seam(({ config }: Core, ahead: number): boolean => ahead < config.outOfOrder.window);

/** The expected packet, or one that comes early. */
export const receive = seam((core: Core, qp: OooQp, packet: Packet): void => {
  if (isHere(core, qp, packet)) {
    answerRepeated(core, qp, packet);
    return;
  }
  const request = requestOf(packet);
  const objected = arrive(core, qp, packet, request);
  if (objected !== undefined) {
    object(core, qp, packet, objected);
    return;
  }
  const arrival = { packet, request };
  keep(core, qp, arrival);
  if (packet.psn === qp.responder.epsn) advance(core, qp, packet);
  else acknowledgeEarly(core, qp, arrival);
});

export const isHere = seam((_core: Core, qp: OooQp, { psn }: Packet): boolean =>
  qp.ooo.responder.arrived.has(psn),
);

/** A packet that came early comes again. */
export const answerRepeated = seam((core: Core, qp: OooQp, _packet: Packet): void => {
  acknowledgeArrived(core, qp, true);
});

export const keep = seam((_core: Core, qp: OooQp, arrival: Arrival): void => {
  qp.ooo.responder.arrived.set(arrival.packet.psn, arrival);
});

/** A packet that comes early is acknowledged by itself. */
export const acknowledgeEarly = seam((core: Core, qp: OooQp, _arrival: Arrival): void => {
  acknowledgeArrived(core, qp, true);
});

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
export const object = seam((core: Core, qp: OooQp, packet: Packet, objected: Objection): void => {
  if (packet.psn === qp.responder.epsn) refuseNow(core, qp, packet.psn, objected);
});

export function refuseNow(core: Core, qp: OooQp, psn: number, objected: Objection): void {
  if (objected.kind === 'refuse') refuseFor(core, qp, objected);
  else if (objected.kind === 'not-ready') sendRnrNak(core, qp, psn);
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
  const passed = passArrived(core, qp);
  // What came in order is acknowledged by the NAK.
  if (passed === undefined) return;
  // A completion on the way had no room in its CQ: what had come is forgotten, and nothing is reported of it.
  if (qp.state === 'IBV_QPS_ERR') return;
  r.trigger = packet.psn;
  const answered = passed.last !== undefined && !isMessage(passed.last.request);
  if (answered) return;
  const filled = filledGap(core, qp, passed.packets);
  if (asksForAck(core, packet) || filled) acknowledgeArrived(core, qp, false);
}

/** How many packets were passed, and the last of them. */
interface Passed {
  packets: number;
  last: Arrival | undefined;
}

/** Whether a packet behind those that have passed passes at once, if it is here. */
export const looksOn = seam((_core: Core, _passed: Passed): boolean => true);

/** Passes what has arrived, up to the first gap; `undefined` where something was refused on the way. */
export const passArrived = seam((core: Core, qp: OooQp): Passed | undefined => {
  const { arrived } = qp.ooo.responder;
  const passed: Passed = { packets: 0, last: undefined };
  for (;;) {
    const { epsn } = qp.responder;
    const arrival = arrived.get(epsn);
    if (arrival === undefined || !looksOn(core, passed)) return passed;
    arrived.delete(epsn);
    const objected = pass(core, qp, arrival);
    if (objected !== undefined) {
      refuseNow(core, qp, epsn, objected);
      return undefined;
    }
    passed.packets++;
    passed.last = arrival;
  }
});

/** Whether a packet has filled a gap, or others still wait behind one. */
export const filledGap = seam(
  (_core: Core, { ooo }: OooQp, passed: number): boolean => passed > 1 || ooo.responder.arrived.size > 0,
);

export const asksForAck = seam((_core: Core, { ackReq }: Packet): boolean => ackReq);

function isMessage(request: Request): request is Message {
  return request.kind === 'send' || request.kind === 'write';
}

/** One packet that has its turn: message by message in order, as on RC. */
export const pass = seam((core: Core, qp: OooQp, { packet, request }: Arrival): Objection | undefined => {
  const r = qp.ooo.responder;
  const { psn } = packet;
  placeAside(core, qp, packet);
  if (isMessage(request)) {
    const { position } = request;
    const fits = isFirst(position)
      ? r.message === undefined
      : r.message?.kind === request.kind && r.message.received === packet.ooeth?.offset;
    if (!fits) return invalid(psn);
    const received = (r.message?.received ?? 0) + packet.payloadLength;
    if (isLast(position)) return finish(core, qp, packet, request, received);
    r.message = { kind: request.kind, received };
    qp.responder.epsn = psnAdd(psn, 1);
    return undefined;
  }
  if (r.message !== undefined) return invalid(psn);
  const objected = execute(core, qp, packet);
  if (objected === undefined) qp.responder.epsn = psnAdd(psn, 1);
  return objected;
});

/** The last packet of a SEND or WRITE, with everything in front of it here. */
function finish(
  core: Core,
  qp: OooQp,
  packet: Packet,
  request: Message,
  received: number,
): Objection | undefined {
  const r = qp.ooo.responder;
  const consumes = request.kind === 'send' || request.immediate;
  const { psn, invalidateRkey } = packet;
  if (consumes && numberedWqe(core, qp, r.recvWqeSn) === undefined) return { kind: 'not-ready' };
  if (consumes && !namesNext(core, qp, packet)) return invalid(psn);
  if (invalidateRkey !== undefined && !invalidate(core, qp, invalidateRkey)) {
    const wqe = r.taken[0]?.wqe;
    return {
      kind: 'refuse',
      refusal: { psn, wqe, status: 'IBV_WC_LOC_QP_OP_ERR', event: 'IBV_EVENT_QP_REQ_ERR' },
    };
  }
  r.message = undefined;
  qp.responder.epsn = psnAdd(psn, 1);
  countMessage(core, qp, packet);
  const wqe = consumes ? releaseWqe(core, qp) : undefined;
  const opcode = request.kind === 'send' ? 'IBV_WC_RECV' : 'IBV_WC_RECV_RDMA_WITH_IMM';
  if (wqe !== undefined) complete(core, qp, packet, wqe, opcode, received);
  return undefined;
}

/** Whether a packet names the receive WQE whose turn it is. */
export const namesNext = seam(
  (_core: Core, { ooo }: OooQp, { ooeth }: Packet): boolean => ooeth?.recvWqeSn === ooo.responder.recvWqeSn,
);

/** Invalidates an R_Key; false where that cannot be. */
export const invalidate = seam(({ memory }: Core, qp: OooQp, rkey: number): boolean =>
  memory.invalidate(rkey, qp),
);

export const complete = seam(
  (core: Core, qp: OooQp, packet: Packet, wqe: RecvWqe, opcode: WcOpcode, bytes: number): void => {
    completeReceive(core, qp, packet, wqe, opcode, bytes);
  },
);
