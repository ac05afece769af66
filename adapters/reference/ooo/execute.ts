import { ooethFlags, psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Place } from '../device/memory.ts';
import { remotePlace } from '../device/protection.ts';
import { announced } from '../rc-responder/access.ts';
import { operate } from '../rc-responder/atomic.ts';
import { readable } from '../rc-responder/read.ts';
import { denied, invalid, type Objection } from './place.ts';
import { answerNextFirst, completeRead, staleData } from './answer-faults.ts';
import type { OooQp } from './qp.ts';
import { answerAtomic, answerRead } from './reply.ts';
import type { Answered } from './state.ts';

/** What stands against a READ or ATOMIC, whenever it is its turn. */
export function objection(core: Core, qp: OooQp, packet: Packet): Objection | undefined {
  const { psn, reth, atomicEth, ooeth } = packet;
  const slots = qp.attr.max_dest_rd_atomic ?? 0;
  if (ooeth === undefined || (ooeth.flags & ooethFlags.readWqe) === 0) return invalid(psn);
  const { readWqeSn } = qp.ooo.responder;
  const ahead = psnDiff(ooeth.readWqeSn, readWqeSn);
  if (
    ahead < 0 ||
    (ahead >= slots && core.fault !== 'ooo-slots-unbounded') ||
    packet.payloadLength + packet.padCount > 0
  )
    return invalid(psn);
  if (psn === qp.responder.epsn && ahead > 0) return invalid(psn);
  if (occupied(qp, packet, ooeth.readWqeSn)) return { kind: 'drop' };
  if (atomicEth !== undefined) {
    const aligned = atomicEth.va % 8n === 0n || core.fault === 'ooo-misaligned-atomic-done';
    if (!qp.access.includes('IBV_ACCESS_REMOTE_ATOMIC') || !aligned) return invalid(psn);
    return placeOf(core, qp, packet) === undefined ? denied(psn) : undefined;
  }
  if (reth === undefined || !qp.access.includes('IBV_ACCESS_REMOTE_READ')) return invalid(psn);
  const length = announced(core, reth);
  if (length === undefined) return invalid(psn);
  return readable(core, qp, { ...reth, dmaLen: length }) === undefined ? denied(psn) : undefined;
}

/** Whether another early request has the slot of this number. */
function occupied(qp: OooQp, { psn }: Packet, sn: number): boolean {
  for (const { packet, request } of qp.ooo.responder.arrived.values()) {
    if (request.kind === 'send' || request.kind === 'write' || packet.psn === psn) continue;
    if (packet.ooeth?.readWqeSn === sn) return true;
  }
  return false;
}

function placeOf(core: Core, qp: OooQp, { atomicEth: eth }: Packet): Place | undefined {
  if (eth === undefined) return undefined;
  return remotePlace(core.memory, eth.rkey, eth.va, 8, qp.pd, 'IBV_ACCESS_REMOTE_ATOMIC');
}

/** Executes and answers a READ or ATOMIC; what stands against it now, if anything does. */
export function execute(core: Core, qp: OooQp, packet: Packet): Objection | undefined {
  const r = qp.ooo.responder;
  const { ooeth, reth, atomicEth: eth } = packet;
  const entry: Answered = { sn: ooeth?.readWqeSn ?? 0, packet };
  if (eth !== undefined) {
    const place = placeOf(core, qp, packet);
    if (place === undefined) return denied(packet.psn);
    const kind = packet.info?.operation === 'COMPARE_SWAP' ? 'compare-swap' : 'fetch-add';
    const answer = { ...entry, original: operate(core, place, eth, kind) };
    count(core, qp, answer);
    answerAtomic(core, qp, answer);
    return undefined;
  }
  const data = staleData(packet) ?? (reth === undefined ? undefined : readable(core, qp, reth));
  if (data === undefined) return denied(packet.psn);
  answerNextFirst(core, qp, packet);
  count(core, qp, entry);
  answerRead(core, qp, entry, data);
  if (core.fault === 'ooo-answers-twice') answerRead(core, qp, entry, data);
  completeRead(core, qp, data.length);
  r.trigger = packet.psn;
  return undefined;
}

function count(core: Core, qp: OooQp, entry: Answered): void {
  const r = qp.ooo.responder;
  r.readWqeSn = psnAdd(r.readWqeSn, 1);
  if (core.fault !== 'ooo-msn-not-for-reads') qp.responder.msn = psnAdd(qp.responder.msn, 1);
  r.answered.push(entry);
  const room = Math.max(1, qp.attr.max_dest_rd_atomic ?? 0);
  if (r.answered.length > room) r.answered.shift();
}

/** A duplicate of a READ or ATOMIC that has been executed; false where it is not among the newest. */
export function answerAgain(core: Core, qp: OooQp, packet: Packet): boolean {
  const { fault } = core;
  const found = qp.ooo.responder.answered.find(({ sn, packet: first }) => {
    return sn === packet.ooeth?.readWqeSn && first.psn === packet.psn && first.opcode === packet.opcode;
  });
  if (found === undefined || fault === 'ooo-duplicate-read-acknowledged') return false;
  if (found.original !== undefined) {
    const place = fault === 'ooo-atomic-repeated' ? placeOf(core, qp, packet) : undefined;
    const eth = packet.atomicEth;
    const kind = packet.info?.operation === 'COMPARE_SWAP' ? 'compare-swap' : 'fetch-add';
    const original =
      place === undefined || eth === undefined ? found.original : operate(core, place, eth, kind);
    answerAtomic(core, qp, { ...found, original });
    return true;
  }
  const { reth } = found.packet;
  const data = reth === undefined ? undefined : readable(core, qp, reth);
  if (data === undefined) return false;
  answerRead(core, qp, found, data);
  return true;
}
