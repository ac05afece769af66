import { ooethFlags, psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Reth } from '../device/headers.ts';
import type { Place } from '../device/memory/memory.ts';
import { remotePlace } from '../device/memory/protection.ts';
import { announced } from '../rc-responder/access.ts';
import { operate, type AtomicKind } from '../rc-responder/atomic.ts';
import { readable } from '../rc-responder/read.ts';
import { denied, invalid, type Objection } from './place.ts';
import { seam } from '../seam.ts';
import { countMessage } from './count.ts';
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
  if (ahead < 0 || !hasSlot(core, ahead, slots) || packet.payloadLength + packet.padCount > 0)
    return invalid(psn);
  if (psn === qp.responder.epsn && ahead > 0) return invalid(psn);
  if (occupied(qp, packet, ooeth.readWqeSn)) return { kind: 'drop' };
  if (atomicEth !== undefined) {
    if (!qp.access.includes('IBV_ACCESS_REMOTE_ATOMIC') || !isAligned(core, atomicEth.va))
      return invalid(psn);
    return placeOf(core, qp, packet) === undefined ? denied(psn) : undefined;
  }
  if (reth === undefined || !qp.access.includes('IBV_ACCESS_REMOTE_READ')) return invalid(psn);
  const length = announced(core, reth);
  if (length === undefined) return invalid(psn);
  return readable(core, qp, { ...reth, dmaLen: length }) === undefined ? denied(psn) : undefined;
}

/** Whether a READ or ATOMIC so many behind the next one is within what was agreed. */
export const hasSlot = seam((_core: Core, ahead: number, slots: number): boolean => ahead < slots);

export const isAligned = seam((_core: Core, va: bigint): boolean => va % 8n === 0n);

/** Whether another early request has the slot of this number. */
function occupied(qp: OooQp, { psn }: Packet, sn: number): boolean {
  for (const { packet, request } of qp.ooo.responder.arrived.values()) {
    if (request.kind === 'send' || request.kind === 'write' || packet.psn === psn) continue;
    if (packet.ooeth?.readWqeSn === sn) return true;
  }
  return false;
}

export function placeOf(core: Core, qp: OooQp, { atomicEth: eth }: Packet): Place | undefined {
  if (eth === undefined) return undefined;
  return remotePlace(core.memory, eth.rkey, eth.va, 8, qp.pd, 'IBV_ACCESS_REMOTE_ATOMIC', qp.num);
}

/** Executes and answers a READ or ATOMIC; what stands against it now, if anything does. */
export const execute = seam((core: Core, qp: OooQp, packet: Packet): Objection | undefined => {
  const r = qp.ooo.responder;
  const { ooeth, reth, atomicEth: eth } = packet;
  const entry: Answered = { sn: ooeth?.readWqeSn ?? 0, packet };
  if (eth !== undefined) {
    const place = placeOf(core, qp, packet);
    if (place === undefined) return denied(packet.psn);
    const answer = { ...entry, original: operate(core, place, eth, atomicKind(packet)) };
    count(core, qp, answer);
    answerAtomic(core, qp, answer);
    return undefined;
  }
  const data = reth === undefined ? undefined : dataOf(core, qp, packet, reth);
  if (data === undefined) return denied(packet.psn);
  count(core, qp, entry);
  answerExecuted(core, qp, entry, data);
  r.trigger = packet.psn;
  return undefined;
});

/** What a READ finds when its turn has come. */
export const dataOf = seam((core: Core, qp: OooQp, _packet: Packet, reth: Reth) => readable(core, qp, reth));

export const answerExecuted = seam((core: Core, qp: OooQp, entry: Answered, data: Uint8Array): void => {
  answerRead(core, qp, entry, data);
});

/** A READ or ATOMIC has been executed. */
export const count = seam((core: Core, qp: OooQp, entry: Answered): void => {
  const r = qp.ooo.responder;
  r.readWqeSn = psnAdd(r.readWqeSn, 1);
  countMessage(core, qp, entry.packet);
  r.answered.push(entry);
  const room = Math.max(1, qp.attr.max_dest_rd_atomic ?? 0);
  if (r.answered.length > room) r.answered.shift();
});

/** A duplicate of a READ or ATOMIC that has been executed; false where it is not among the newest. */
export const answerAgain = seam((core: Core, qp: OooQp, packet: Packet): boolean => {
  const found = qp.ooo.responder.answered.find(({ sn, packet: first }) => {
    return sn === packet.ooeth?.readWqeSn && first.psn === packet.psn && first.opcode === packet.opcode;
  });
  if (found === undefined) return false;
  if (found.original !== undefined) {
    answerAtomic(core, qp, { ...found, original: resultAgain(core, qp, found.original, packet) });
    return true;
  }
  const { reth } = found.packet;
  const data = reth === undefined ? undefined : readable(core, qp, reth);
  if (data === undefined) return false;
  answerRead(core, qp, found, data);
  return true;
});

/** The result of an ATOMIC that comes again: that of the first time. */
export const resultAgain = seam(
  (_core: Core, _qp: OooQp, original: bigint, _packet: Packet): bigint => original,
);

export function atomicKind({ info }: Packet): AtomicKind {
  return info?.operation === 'COMPARE_SWAP' ? 'compare-swap' : 'fetch-add';
}
