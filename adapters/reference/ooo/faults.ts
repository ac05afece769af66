import { opcodeByName } from '../../../spec/constants.ts';
import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, type Packet, type PacketFields } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { succeed } from '../rc-requester/complete.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import { isLast, requestOf } from '../rc-responder/request.ts';
import { completeReceive } from '../rc-responder/receive.ts';
import { readable } from '../rc-responder/read.ts';
import { stale } from './answer-faults.ts';
import { execute } from './execute.ts';
import { placeData } from './place.ts';
import type { OooQp } from './qp.ts';
import { acknowledgeArrived } from './reply.ts';
import type { Arrival, OutOfOrderState } from './state.ts';

type Fields = Omit<PacketFields, 'destQp'>;

const middle = opcodeByName('ORC_SEND_MIDDLE');
const sendOnly = opcodeByName('ORC_SEND_ONLY');

/** What mutants get wrong in the packets of requests. */
export function marredRequest({ fault }: Core, qp: OooQp, fields: Fields, again: boolean): Fields {
  const { payload, immediate, reth } = fields;
  if (fault === 'ooo-request-icrc' && again) return { ...fields, icrcXor: 1 };
  if (fault === 'ooo-request-opcode' && fields.opcode === middle) return { ...fields, opcode: middle - 1 };
  if (fault === 'ooo-request-cut' && payload?.length === qp.mtu)
    return { ...fields, payload: payload.subarray(0, qp.mtu - 4) };
  if (fault === 'ooo-request-payload' && payload !== undefined && again)
    return { ...fields, payload: payload.map((byte) => byte ^ 1) };
  if (fault === 'ooo-request-immediate' && immediate !== undefined)
    return { ...fields, immediate: (immediate ^ 0x80000000) >>> 0 };
  if (fault === 'ooo-read-again-narrowed' && again && reth !== undefined && payload === undefined)
    return { ...fields, reth: { ...reth, va: reth.va + 1n, dmaLen: Math.max(0, reth.dmaLen - 1) } };
  return fields;
}

/** The status that a NAK has a request fail with; a mutant mistakes each for another. */
export function refusalFault({ fault }: Core, status: WcStatus | undefined): WcStatus | undefined {
  if (fault !== 'ooo-refusal-status' || status === undefined) return status;
  switch (status) {
    case 'IBV_WC_REM_INV_REQ_ERR':
      return 'IBV_WC_REM_ACCESS_ERR';
    case 'IBV_WC_REM_ACCESS_ERR':
      return 'IBV_WC_REM_OP_ERR';
    case 'IBV_WC_REM_OP_ERR':
      return 'IBV_WC_REM_INV_REQ_ERR';
    default:
      return status;
  }
}

/** The completion of a request that is through; mutants get it wrong. */
export function report(core: Core, qp: OooQp, wqe: SendWqe): void {
  const { fault } = core;
  if (fault === 'ooo-completion-missing' && wqe.packets > 1) return;
  if (fault === 'ooo-unsignaled-completes') succeed(core, qp, { ...wqe, signaled: true });
  else if (fault === 'ooo-completion-opcode')
    succeed(core, qp, { ...wqe, wr: { ...wqe.wr, opcode: 'IBV_WR_SEND' } });
  else succeed(core, qp, wqe);
  if (fault === 'ooo-completion-doubled') succeed(core, qp, wqe);
}

/** The mutant that asks by an empty SEND of its own, when it has nothing to send, whether the peer is still there. */
export function sendUnasked(core: Core, qp: OooQp): void {
  if (core.fault !== 'ooo-unposted-sent' || qp.requester.queue.length > 0) return;
  core.transmit(qp, {
    opcode: sendOnly,
    psn: qp.requester.end,
    ooeth: { flags: 1, recvWqeSn: qp.ooo.requester.recvWqes, readWqeSn: 0, offset: 0 },
  });
}

/** The mutants that put the data of a packet into memory each time it comes. */
export function repeatPlacement(core: Core, qp: OooQp, packet: Packet): void {
  const request = requestOf(packet);
  if (core.fault !== 'ooo-duplicate-placed' || request.kind !== 'write') return;
  placeData(core, qp, packet, request);
}

/** The mutants that RESET does not reach in all of a QP. */
export function keepOverReset({ fault }: Core, qp: QueuePair, before: OutOfOrderState): void {
  if (qp.ooo === undefined) return;
  if (fault === 'ooo-arrivals-survive-reset') qp.ooo = { ...qp.ooo, responder: before.responder };
  if (fault !== 'ooo-numbers-survive-reset') return;
  qp.ooo.requester.recvWqes = before.requester.recvWqes;
  qp.ooo.requester.readWqes = before.requester.readWqes;
}

/** Invalidates an R_Key; false where that cannot be. Mutants do not, or have done so before. */
export function invalidated({ fault, memory }: Core, qp: OooQp, rkey: number): boolean {
  if (fault === 'ooo-never-invalidates' || fault === 'ooo-invalidates-early') return true;
  return memory.invalidate(rkey, qp.pd);
}

const everEarly = new WeakMap<OooQp, Set<number>>();

/** The mutant that never clears the bit of a packet which came early, and finds it again a window later. */
export function takenForArrived({ fault, config }: Core, qp: OooQp, { psn }: Packet): boolean {
  if (fault !== 'ooo-arrivals-not-forgotten' || psn === qp.responder.epsn) return false;
  const seen = everEarly.get(qp) ?? new Set<number>();
  everEarly.set(qp, seen.add(psn));
  return seen.has(psnAdd(psn, -config.outOfOrder.window));
}

/** The mutant that keeps packets until their turn has come. */
export function placeInTurn(core: Core, qp: OooQp, { packet, request }: Arrival): void {
  if (core.fault !== 'ooo-placed-in-turn') return;
  if (request.kind === 'send' || request.kind === 'write') placeData(core, qp, packet, request);
}

/** The mutants that acknowledge an early packet for which there is no place; true where they did. */
export function acknowledgedUnplaced(core: Core, qp: OooQp): boolean {
  if (core.fault !== 'ooo-unplaced-acknowledged') return false;
  acknowledgeArrived(core, qp, true);
  return true;
}

/** What a receive completion tells: of its own last packet, unless a mutant has mixed it up. `packet` absent: no completion. */
export function finishedFault(
  { fault }: Core,
  qp: OooQp,
  packet: Packet,
  received: number,
): { packet: Packet | undefined; bytes: number } {
  const r = qp.ooo.responder;
  if (fault === 'ooo-early-completion-lost' && packet.psn !== r.trigger)
    return { packet: undefined, bytes: received };
  if (fault === 'ooo-invalidation-untold' && packet.invalidateRkey !== undefined)
    return { packet: { ...packet, invalidateRkey: undefined, immediate: undefined }, bytes: received };
  if (fault === 'ooo-length-of-last-packet') return { packet, bytes: packet.payloadLength };
  if (fault === 'ooo-immediate-of-newest' && packet.immediate !== undefined) {
    const newest = [...r.arrived.values()].findLast((other) => other.packet.immediate !== undefined)?.packet;
    return { packet: newest ?? packet, bytes: received };
  }
  return { packet, bytes: received };
}

/** What mutants do at once with a packet that comes early. */
export function misplace(core: Core, qp: OooQp, arrival: Arrival): void {
  const { packet, request } = arrival;
  if (core.fault === 'ooo-completes-with-last') completeEarly(core, qp, arrival);
  if (request.kind === 'send' || request.kind === 'write') return;
  if (core.fault === 'ooo-executes-early') {
    execute(core, qp, packet);
    qp.ooo.responder.readWqeSn = psnAdd(qp.ooo.responder.readWqeSn, -1);
    qp.responder.msn = psnAdd(qp.responder.msn, -1);
  }
  if (core.fault !== 'ooo-early-read-stale' || packet.reth === undefined) return;
  const data = readable(core, qp, packet.reth);
  if (data !== undefined) stale.set(packet, data.slice());
}

/** The completion comes with the last packet, whatever is missing, and once more in its turn. */
function completeEarly(core: Core, qp: OooQp, { packet, request }: Arrival): void {
  const wqe = qp.ooo.responder.taken.find(({ sn }) => sn === packet.ooeth?.recvWqeSn)?.wqe;
  const ends = (request.kind === 'send' || request.kind === 'write') && isLast(request.position);
  if (!ends || wqe === undefined) return;
  const opcode = request.kind === 'send' ? 'IBV_WC_RECV' : 'IBV_WC_RECV_RDMA_WITH_IMM';
  completeReceive(core, qp, packet, wqe, opcode, (packet.ooeth?.offset ?? 0) + packet.payloadLength);
}

/** The mutants that forget a READ or ATOMIC which came early. */
export function neverExecuted(core: Core, qp: OooQp, packet: Packet): boolean {
  const r = qp.ooo.responder;
  const forgotten =
    core.fault === (packet.atomicEth === undefined ? 'ooo-read-never-executed' : 'ooo-atomic-never-executed');
  if (!forgotten || packet.psn === r.trigger) return false;
  r.readWqeSn = psnAdd(r.readWqeSn, 1);
  return true;
}

const later = new WeakMap<OooQp, (() => void)[]>();

/** The mutant that tells of several messages, once it can, in the reverse order. */
export function putOff(qp: OooQp, complete: () => void): void {
  later.set(qp, [complete, ...(later.get(qp) ?? [])]);
}

export function catchUp(qp: OooQp): void {
  for (const complete of later.get(qp) ?? []) complete();
  later.delete(qp);
}
