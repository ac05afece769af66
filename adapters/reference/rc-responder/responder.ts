import { psnAdd, psnDiff, psnRegion, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { answerDuplicate } from './duplicate.ts';
import { isFirst, requestOf, type Request } from './position.ts';
import { executeAtomic, executeRead } from './read-atomic.ts';
import { refuseInvalid } from './refuse.ts';
import { sendNak, sendRnrNak } from './reply.ts';
import { executeSend } from './send.ts';
import { executeWrite, storeAnyway } from './write.ts';

/** A request packet whose headers are sound and whose QP can receive. */
export function handleRequest(core: Core, qp: QueuePair, packet: Packet): void {
  const r = qp.responder;
  announce(core, qp);
  switch (regionOf(core, packet.psn, r.epsn)) {
    case 'expected':
      if (core.fault !== 'sequence-nak-only-once') r.waiting = undefined;
      else if (r.waiting === 'rnr') r.waiting = undefined;
      execute(core, qp, packet);
      return;
    case 'ahead':
      refuseAhead(core, qp, packet);
      return;
    case 'duplicate':
      if (core.fault === 'duplicates-ignored-while-waiting' && r.waiting !== undefined) return;
      if (core.fault === 'duplicate-ends-waiting') r.waiting = undefined;
      answerDuplicate(core, qp, packet);
      return;
  }
}

/** COMM_EST, once for each stay in RTR. */
export function announce(core: Core, qp: QueuePair): void {
  if (qp.state !== 'IBV_QPS_RTR' || core.fault === 'established-missing') return;
  if (core.fault === 'established-not-rearmed') {
    if (announcedOnce.has(qp)) return;
    announcedOnce.add(qp);
  }
  if (qp.established && core.fault !== 'established-repeated') return;
  qp.established = true;
  core.raise({ event_type: 'IBV_EVENT_COMM_EST', qp_num: qp.num });
}

const announcedOnce = new WeakSet<QueuePair>();

function regionOf(core: Core, psn: number, epsn: number): 'expected' | 'ahead' | 'duplicate' {
  if (core.fault === 'psn-compare-without-wrap') {
    return psn === epsn ? 'expected' : psn > epsn ? 'ahead' : 'duplicate';
  }
  const region = psnRegion(psn, epsn);
  const old = core.fault === 'old-duplicate-is-ahead' && region === 'duplicate' && psnDiff(epsn, psn) > 16;
  return old ? 'ahead' : region;
}

function refuseAhead(core: Core, qp: QueuePair, packet: Packet): void {
  const r = qp.responder;
  if (core.fault === 'ahead-accepted') {
    r.epsn = packet.psn;
    execute(core, qp, packet);
    return;
  }
  if (core.fault === 'sequence-nak-missing') return;
  if (core.fault === 'refused-write-stored') storeAnyway(core, qp, packet);
  const repeats =
    core.fault === 'nak-per-packet' || (core.fault === 'sequence-nak-after-rnr' && r.waiting === 'rnr');
  // One NAK for a gap: whatever else comes before the expected PSN says nothing new.
  if (r.waiting !== undefined && !repeats) return;
  r.waiting = 'sequence';
  sendNak(
    core,
    qp,
    'psn-sequence-error',
    core.fault === 'nak-psn-of-request'
      ? packet.psn
      : psnAdd(r.epsn, core.fault === 'nak-psn-last-received' ? -1 : 0),
  );
}

function execute(core: Core, qp: QueuePair, packet: Packet): void {
  const request = requestOf(packet);
  if (!inSequence(core, qp, request)) {
    refuseInvalid(core, qp, packet.psn);
    return;
  }
  if (busy(core, qp, request)) {
    sendRnrNak(core, qp, packet.psn, core.config.busyTimer);
    qp.responder.waiting = 'rnr';
    return;
  }
  switch (request.kind) {
    case 'send':
      executeSend(core, qp, packet, request.position);
      return;
    case 'write':
      executeWrite(core, qp, packet, request.position, request.immediate);
      return;
    case 'read':
      executeRead(core, qp, packet);
      return;
    case 'compare-swap':
    case 'fetch-add':
      executeAtomic(core, qp, packet, request.kind);
      return;
    case 'unsupported':
      if (core.fault !== 'reserved-opcode-dropped') refuseInvalid(core, qp, packet.psn);
      return;
  }
}

/** Whether the device takes a rest, for reasons of its own. */
function busy(core: Core, qp: QueuePair, request: Request): boolean {
  const { busyEvery } = core.config;
  if (busyEvery === 0 || request.kind === 'send' || request.kind === 'unsupported') return false;
  return ++qp.responder.looked % busyEvery === 0;
}

/** A message goes First, Middle.., Last of one kind, or is an Only; nothing else may come in between. */
function inSequence(core: Core, qp: QueuePair, request: Request): boolean {
  const r = qp.responder;
  if (request.kind === 'unsupported') return true;
  const starts = request.kind === 'send' || request.kind === 'write' ? isFirst(request.position) : true;
  if (core.fault === 'opcode-sequence-unchecked' && starts) {
    r.message = undefined;
    return true;
  }
  return r.message === undefined ? starts : !starts && r.message.kind === request.kind;
}
