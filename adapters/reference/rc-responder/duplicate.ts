import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { AtomicEth, Reth } from '../device/headers.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import type { AtomicKind } from './atomic.ts';
import { readable } from './read.ts';
import { isBare, lengthFits } from './length.ts';
import { sendAck, sendAtomicAck, sendReadResponses } from './reply.ts';
import { requestOf, type Message } from './request.ts';
import type { AtomicResource, ReadResource, Resource } from './state.ts';

/** A request from behind the expected PSN. Nothing is executed twice but READs, and nothing is ever NAKed. */
export const answerDuplicate = seam((core: Core, qp: QueuePair, packet: Packet): void => {
  const request = requestOf(packet);
  const r = qp.responder;
  // What answers a duplicate may name an older PSN, and would not stand for the ACK that is still owed.
  if (r.owedAcks > 0) sendAck(core, qp, psnAdd(r.epsn, -1));
  switch (request.kind) {
    case 'send':
    case 'write':
      answerMessage(core, qp, packet, request);
      return;
    case 'read':
      answerRead(core, qp, packet);
      return;
    case 'compare-swap':
    case 'fetch-add':
      answerAtomic(core, qp, packet, request.kind);
      return;
    case 'unsupported':
      dropUnsupported(core, qp, packet);
      return;
  }
});

/** A SEND or WRITE that comes again is acknowledged, if it asks for it. */
export const answerMessage = seam((core: Core, qp: QueuePair, packet: Packet, request: Message): void => {
  const drops = core.config.malformedDuplicate === 'dropped';
  if (drops && !lengthFits(core, qp, packet, request.position)) return;
  if (!packet.ackReq && !core.config.ackEveryDuplicate) return;
  sendAck(core, qp, newestCovered(qp, packet.psn));
});

/**
 * The newest PSN that an ACK for a duplicate SEND or WRITE may name: that of the newest request, but not beyond a READ or
 * ATOMIC that follows the duplicate, since the ACK would tell the requester that its response is lost.
 */
function newestCovered(qp: QueuePair, psn: number): number {
  const { epsn, resources } = qp.responder;
  const next = resources.find((entry) => psnDiff(entry.psn, psn) > 0);
  return psnAdd(next === undefined ? epsn : next.psn, -1);
}

/** A READ that comes again, or what was left of it, is executed again; one that asks for something else is dropped. */
export const answerRead = seam((core: Core, qp: QueuePair, packet: Packet): void => {
  const { reth, psn } = packet;
  if (reth === undefined || !isBare(core, packet)) return;
  const found = findResource(core, qp, psn);
  if (found?.kind !== 'read' || found.rkey !== reth.rkey) return;
  const skipped = psnDiff(psn, found.psn) * qp.mtu;
  if (reth.va !== found.va + BigInt(skipped) || reth.dmaLen > found.length - skipped) return;
  if (reth.dmaLen === 0 && found.length > 0) return;
  const data = readAgain(core, qp, found, psn, reth);
  if (data !== undefined) repeatRead(core, qp, found, psn, data);
});

/** The bytes that a READ gets when it comes again: those that are there now. */
export const readAgain = seam((core: Core, qp: QueuePair, _found: ReadResource, _psn: number, reth: Reth) =>
  readable(core, qp, reth),
);

export const repeatRead = seam(
  (core: Core, qp: QueuePair, _found: ReadResource, psn: number, data: Uint8Array): void => {
    sendReadResponses(core, qp, psn, data);
  },
);

/** An ATOMIC that comes again gets the result of the first time; one that is no longer known, or is another, is dropped. */
export const answerAtomic = seam((core: Core, qp: QueuePair, packet: Packet, kind: AtomicKind): void => {
  const { atomicEth: eth, psn } = packet;
  const found = findResource(core, qp, psn);
  if (eth === undefined || found?.kind !== 'atomic') return;
  if (found.opcode !== packet.opcode || found.va !== eth.va || found.rkey !== eth.rkey) return;
  sendAtomicAck(core, qp, psn, resultAgain(core, qp, found, eth, kind));
});

export const resultAgain = seam(
  (_core: Core, _qp: QueuePair, found: AtomicResource, _eth: AtomicEth, _kind: AtomicKind): bigint =>
    found.original,
);

/** A request that the device does not know is nothing to it when it comes again. */
export const dropUnsupported = seam((_core: Core, _qp: QueuePair, _packet: Packet): void => undefined);

/** The READ or ATOMIC, among those that can be answered again, that a PSN belongs to. */
export const findResource = seam((_core: Core, qp: QueuePair, psn: number): Resource | undefined =>
  qp.responder.resources.find((entry) => belongsTo(psn, entry)),
);

export function belongsTo(psn: number, entry: Resource): boolean {
  const d = psnDiff(psn, entry.psn);
  return d >= 0 && d < entry.packets;
}
