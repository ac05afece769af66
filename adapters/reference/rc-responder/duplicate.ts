import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { executeSend } from './send.ts';
import { executeWrite } from './write.ts';
import { operate, readable } from './read-atomic.ts';
import { requestOf, type Request } from './position.ts';
import { sendAck, sendAtomicAck, sendNak, sendReadResponses } from './reply.ts';
import type { Resource } from './state.ts';

/** A request from behind the expected PSN. Nothing is executed twice but READs, and nothing is ever NAKed. */
export function answerDuplicate(core: Core, qp: QueuePair, packet: Packet): void {
  const request = requestOf(packet);
  const r = qp.responder;
  // What answers a duplicate may name an older PSN, and would not stand for the ACK that is still owed.
  if (r.owedAcks > 0) sendAck(core, qp, psnAdd(r.epsn, -1));
  switch (request.kind) {
    case 'send':
    case 'write':
      if (core.fault === 'duplicate-counted-in-msn') r.msn = psnAdd(r.msn, 1);
      if (core.fault === 'unasked-duplicate-refused' && !packet.ackReq) {
        sendNak(core, qp, 'invalid-request', packet.psn);
        return;
      }
      if (executedAgain(core, qp, packet, request)) return;
      if (core.fault === 'duplicate-not-acknowledged') return;
      if (!packet.ackReq && !core.config.ackEveryDuplicate) return;
      sendAck(core, qp, newestCovered(qp, packet.psn));
      return;
    case 'read':
      answerRead(core, qp, packet);
      return;
    case 'compare-swap':
    case 'fetch-add':
      answerAtomic(core, qp, packet, request.kind);
      return;
    case 'unsupported':
      if (core.fault === 'duplicate-error-refused') sendNak(core, qp, 'invalid-request', packet.psn);
      if (core.fault === 'duplicate-error-fatal') core.fail(qp);
      if (core.fault === 'duplicate-error-reported')
        core.raise({ event_type: 'IBV_EVENT_QP_REQ_ERR', qp_num: qp.num });
      return;
  }
}

/**
 * The newest PSN that an ACK for a duplicate SEND or WRITE may name: that of the newest request, but not beyond a READ or
 * ATOMIC that follows the duplicate, since the ACK would tell the requester that its response is lost.
 */
function newestCovered(qp: QueuePair, psn: number): number {
  const { epsn, resources } = qp.responder;
  const next = resources.find((entry) => psnDiff(entry.psn, psn) > 0);
  return psnAdd(next === undefined ? epsn : next.psn, -1);
}

function answerRead(core: Core, qp: QueuePair, packet: Packet): void {
  const { reth, psn } = packet;
  if (core.fault === 'duplicate-read-ignored') return;
  if (reth === undefined || packet.payloadLength > 0) return;
  const found = find(qp, psn);
  if (found?.kind !== 'read' || found.rkey !== reth.rkey) return;
  const skipped = psnDiff(psn, found.psn) * qp.mtu;
  if (reth.va !== found.va + BigInt(skipped) || reth.dmaLen > found.length - skipped) return;
  if (reth.dmaLen === 0 && found.length > 0) return;
  const data = core.fault === 'duplicate-read-of-freed-memory' ? found.stale : readable(core, qp, reth);
  if (data === undefined) {
    if (core.fault === 'duplicate-read-error-refused') sendNak(core, qp, 'remote-access-error', psn);
    return;
  }
  sendReadResponses(
    core,
    qp,
    core.fault === 'partial-read-from-original-psn' ? found.psn : psn,
    found.stale === undefined ? data : found.stale.subarray(skipped, skipped + reth.dmaLen),
  );
}

function answerAtomic(core: Core, qp: QueuePair, packet: Packet, kind: 'compare-swap' | 'fetch-add'): void {
  const { atomicEth: eth, psn } = packet;
  const found = find(qp, psn);
  const again =
    (core.fault === 'unrecorded-atomic-executed' && found === undefined) ||
    (core.fault === 'mismatched-atomic-executed' && found !== undefined && found.kind !== 'atomic');
  if (core.fault === 'mismatched-atomic-refused' && found !== undefined && found.kind !== 'atomic') {
    sendNak(core, qp, 'invalid-request', psn);
    return;
  }
  if (again && eth !== undefined) {
    const place = core.memory.remote(eth.rkey, eth.va, 8, qp.pd, 'IBV_ACCESS_REMOTE_ATOMIC');
    if (place !== undefined) sendAtomicAck(core, qp, psn, operate(core, place, eth, kind));
    return;
  }
  if (eth === undefined || found?.kind !== 'atomic') return;
  if (found.opcode !== packet.opcode || found.va !== eth.va || found.rkey !== eth.rkey) return;
  let { original } = found;
  if (core.fault === 'atomic-executed-twice' || core.fault === 'duplicate-atomic-fresh-value') {
    const place = core.memory.remote(eth.rkey, eth.va, 8, qp.pd, 'IBV_ACCESS_REMOTE_ATOMIC');
    if (place !== undefined) {
      original =
        core.fault === 'atomic-executed-twice'
          ? operate(core, place, eth, kind)
          : new DataView(place.bytes.buffer, place.bytes.byteOffset + place.offset, 8).getBigUint64(0, true);
    }
  }
  sendAtomicAck(core, qp, psn, original);
}

function find(qp: QueuePair, psn: number): Resource | undefined {
  return qp.responder.resources.find((entry) => {
    const d = psnDiff(psn, entry.psn);
    return d >= 0 && d < entry.packets;
  });
}

/** The mutants that treat a duplicate as a new request; its place in the sequence is put back afterwards. */
function executedAgain(
  core: Core,
  qp: QueuePair,
  packet: Packet,
  request: Extract<Request, { kind: 'send' | 'write' }>,
): boolean {
  const again =
    (core.fault === 'duplicate-send-executed' && request.kind === 'send' && request.position === 'only') ||
    (core.fault === 'duplicate-write-executed' && request.kind === 'write' && request.position === 'only');
  if (core.fault === 'duplicate-advances-expected-psn') qp.responder.epsn = psnAdd(packet.psn, 1);
  if (!again) return false;
  const { epsn, msn, message, waiting } = qp.responder;
  qp.responder.message = undefined;
  if (request.kind === 'send') {
    if (qp.receiveQueue.wqes.length === 0) return false;
    executeSend(core, qp, packet, request.position);
  } else executeWrite(core, qp, packet, request.position, request.immediate);
  Object.assign(qp.responder, { epsn, msn, message, waiting });
  return true;
}
