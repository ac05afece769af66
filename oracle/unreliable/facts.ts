import { opcodes } from '../../spec/constants.ts';
import type { Sge } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnRegion } from '../../wire/psn.ts';
import { inside, scatter, totalLength, usable } from '../device/memory.ts';
import { requestShape } from '../device/opcode-shape.ts';
import { grhBytes } from '../device/receive-queue.ts';
import type { OpenMessage, ReceiveState, UnreliableQp } from './qp.ts';
import type { UnreliableService } from './tables.ts';

type Facts = Readonly<Record<string, string>>;
const serviceBits: Readonly<Record<UnreliableService, number>> = { UC: 1, UD: 3 };
const maxDmaLength = 0x80000000;

/** Facts of header validation. `qp` undefined: nobody has the number. */
export function admissionFacts(
  service: UnreliableService,
  qp: UnreliableQp | undefined,
  state: ReceiveState | undefined,
  packet: Packet,
): Facts {
  const qkey = packet.deth?.qkey;
  const foreign = qp?.kind === 'UC' && qp.peerAddress !== undefined && packet.srcIp !== qp.peerAddress;
  return {
    destination: qp === undefined ? 'unknown' : 'known',
    icrc: packet.icrcOk ? 'good' : 'bad',
    transportVersion: packet.tver === 0 ? 'zero' : 'other',
    // of an opcode byte that nobody defined, the upper three bits tell the service
    service: packet.opcode >> 5 === serviceBits[service] ? 'match' : 'mismatch',
    source: foreign ? 'other' : 'peer',
    pkey: qp !== undefined && ((qp.pkey ^ packet.pkey) & 0x7fff) !== 0 ? 'mismatch' : 'match',
    qkey: qp?.qkey === undefined || qkey === undefined || qkey === qp.qkey ? 'match' : 'mismatch',
    qpState: state?.qpState ?? 'RTS',
  };
}

/** SEND, RDMA WRITE, or neither. */
export function familyOf(packet: Packet): 'send' | 'write' | 'other' {
  const { family } = requestShape(packet.opcode);
  return opcodes[packet.opcode] !== undefined && (family === 'send' || family === 'write') ? family : 'other';
}

export function sequenceFacts(state: ReceiveState, packet: Packet): Facts {
  return {
    family: familyOf(packet),
    inProgress: state.message?.kind ?? 'none',
    psn: state.ePsn < 0 ? 'expected' : psnRegion(packet.psn, state.ePsn),
    position: requestShape(packet.opcode).position,
  };
}

/** The packet needs a receive WQE that its message does not hold yet. */
function needsReceive(qp: UnreliableQp, message: OpenMessage | undefined, packet: Packet): boolean {
  const { family, immediate } = requestShape(packet.opcode);
  if (qp.kind === 'UD') return family === 'send';
  return family === 'send' ? message?.wqe === undefined : immediate;
}

/** Remote memory that a WRITE packet names; `undefined` where its message names none. */
export function targetOf(
  message: OpenMessage | undefined,
  packet: Packet,
): { rkey: number; va: bigint; announced: number } | undefined {
  const reth = packet.reth ?? message?.reth;
  if (reth === undefined || reth.dmaLen === 0) return undefined;
  const received = packet.reth ? 0 : (message?.received ?? 0);
  return {
    rkey: reth.rkey,
    va: reth.va + BigInt(received),
    announced: Math.max(0, reth.dmaLen - received),
  };
}

function grants(qp: UnreliableQp, rkey: number, va: bigint, length: number): boolean {
  const region = qp.memory.byRkey(rkey);
  return (
    region !== undefined &&
    region.alive &&
    region.pd === qp.pd &&
    region.access.includes('IBV_ACCESS_REMOTE_WRITE') &&
    inside(region, va, length)
  );
}

function accessFact(qp: UnreliableQp, message: OpenMessage | undefined, packet: Packet): string {
  const target = familyOf(packet) === 'write' ? targetOf(message, packet) : undefined;
  if (target === undefined) return 'not-needed';
  if (!grants(qp, target.rkey, target.va, packet.payloadLength)) return 'denied';
  return grants(qp, target.rkey, target.va, target.announced) ? 'granted' : 'later';
}

/** Where in its receive buffer the payload begins. */
export function placeOf(qp: UnreliableQp, message: OpenMessage | undefined): number {
  return qp.kind === 'UD' ? grhBytes : (message?.received ?? 0);
}

function lengthFact(
  qp: UnreliableQp,
  state: ReceiveState,
  message: OpenMessage | undefined,
  packet: Packet,
): string {
  const { position, family } = requestShape(packet.opcode);
  const payload = packet.payloadLength;
  const { pmtu } = qp;
  const ends = position === 'last' || position === 'only';
  if (qp.kind === 'UC' && pmtu > 0) {
    if (ends ? payload > pmtu || (position === 'last' && payload === 0) : payload !== pmtu) return 'wrong';
  }
  if (family === 'send') {
    const wqe = qp.posted.at(message?.wqe ?? state.rqHead);
    const open = message?.wqe !== undefined || state.rqHead < state.rqTail;
    if (wqe === undefined || !open) return 'sound';
    return placeOf(qp, message) + payload > totalLength(wqe.sg_list) ? 'too-long' : 'sound';
  }
  const announced = packet.reth?.dmaLen ?? message?.reth?.dmaLen ?? 0;
  const total = (packet.reth ? 0 : (message?.received ?? 0)) + payload;
  if (announced > maxDmaLength || total > announced) return 'wrong';
  if (ends) return total === announced ? 'sound' : 'wrong';
  return total === announced ? 'doomed' : 'sound';
}

/** Memory of the receive WQE: `open` where only a part that the packet does not touch is at fault. */
function localMemory(
  qp: UnreliableQp,
  state: ReceiveState,
  message: OpenMessage | undefined,
  packet: Packet,
): 'not-needed' | 'sound' | 'faulty' | 'open' {
  if (familyOf(packet) !== 'send') return 'not-needed';
  const index = message?.wqe ?? (state.rqHead < state.rqTail ? state.rqHead : -1);
  const list = index < 0 ? undefined : qp.posted.at(index)?.sg_list;
  if (list === undefined || list.length === 0) return 'not-needed';
  const bad = (sge: Sge): boolean => !usable(qp.memory.byLkey(sge.lkey), qp.pd, sge, true);
  if (!list.some(bad)) return 'sound';
  const from = qp.kind === 'UD' ? 0 : placeOf(qp, message);
  const to = placeOf(qp, message) + packet.payloadLength;
  const touched = scatter(qp.memory, list, from, to - from);
  if (touched.some(({ sge }) => bad(sge))) return 'faulty';
  return 'open';
}

/** Facts of the checks that may fail at once; more than one set where the trace leaves them open. */
export function operationFacts(
  qp: UnreliableQp,
  state: ReceiveState,
  message: OpenMessage | undefined,
  packet: Packet,
): Facts[] {
  const family = familyOf(packet);
  const enabled = family !== 'write' || qp.access?.includes('IBV_ACCESS_REMOTE_WRITE');
  const available = state.rqHead < state.rqTail ? 'available' : 'none';
  const memory = localMemory(qp, state, message, packet);
  const facts = {
    family,
    support: enabled ? 'supported' : 'disabled',
    receive: needsReceive(qp, message, packet) ? available : 'not-needed',
    access: accessFact(qp, message, packet),
    length: lengthFact(qp, state, message, packet),
    localMemory: memory === 'open' ? 'sound' : memory,
  };
  return memory === 'open' ? [facts, { ...facts, localMemory: 'faulty' }] : [facts];
}

/** WQE that a fault would be reported by. */
export function boundWqe(
  state: ReceiveState,
  message: OpenMessage | undefined,
  packet: Packet,
): 'none' | 'send' | 'immediate' {
  const held = message?.wqe !== undefined || state.rqHead < state.rqTail;
  const { family, immediate } = requestShape(packet.opcode);
  if (!held) return 'none';
  if (family === 'send') return 'send';
  return immediate ? 'immediate' : 'none';
}
