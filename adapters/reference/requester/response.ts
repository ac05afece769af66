import { decodeSyndrome, nakCodes } from '../../../spec/constants.ts';
import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../core.ts';
import type { QueuePair } from '../qp.ts';
import { completePassed, failHead } from './complete.ts';
import { find, schedule } from './send.ts';
import { restartAckTimer, retry, waitForReceiver } from './timers.ts';
import type { SendWqe } from './state.ts';

const fatal: Readonly<Record<string, WcStatus>> = {
  'invalid-request': 'IBV_WC_REM_INV_REQ_ERR',
  'remote-access-error': 'IBV_WC_REM_ACCESS_ERR',
  'remote-operational-error': 'IBV_WC_REM_OP_ERR',
};

/** A response packet whose headers are sound. Ghosts, and what is known already, are dropped. */
export function handleResponse(core: Core, qp: QueuePair, packet: Packet): void {
  const q = qp.requester;
  if (qp.state !== 'IBV_QPS_RTS' && qp.state !== 'IBV_QPS_SQD') return;
  if (psnDiff(packet.psn, q.una) < 0 || psnDiff(packet.psn, q.end) >= 0) return;
  switch (packet.info?.operation) {
    case 'ACKNOWLEDGE':
      handleAcknowledge(core, qp, packet);
      return;
    case 'ATOMIC_ACKNOWLEDGE':
      handleAtomic(core, qp, packet);
      return;
    case undefined:
      return;
    default:
      handleRead(core, qp, packet);
  }
}

/** Acknowledges all before `end`. False where an unanswered READ or ATOMIC stands in between: an implied NAK. */
function acknowledge(core: Core, qp: QueuePair, end: number): boolean {
  const q = qp.requester;
  const blocking = q.queue.find(
    (wqe) =>
      wqe.launched && (wqe.kind === 'read' || wqe.kind === 'atomic') && psnDiff(end, unanswered(qp, wqe)) > 0,
  );
  const upTo = blocking === undefined ? end : unanswered(qp, blocking);
  if (psnDiff(upTo, q.una) > 0) advance(core, qp, upTo);
  return blocking === undefined;
}

/** First PSN of a READ or ATOMIC whose response is missing. */
function unanswered(qp: QueuePair, wqe: SendWqe): number {
  const { una } = qp.requester;
  return psnDiff(una, wqe.psn) > 0 ? una : wqe.psn;
}

function advance(core: Core, qp: QueuePair, una: number): void {
  const q = qp.requester;
  q.una = una;
  if (psnDiff(q.next, una) < 0) q.next = una;
  q.retriesLeft = qp.attr.retry_cnt ?? 0;
  q.rnrLeft = qp.attr.rnr_retry ?? 0;
  q.impliedNak = false;
  completePassed(core, qp);
  restartAckTimer(core, qp);
  schedule(core, qp);
}

function impliedNak(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  // Every answer behind the gap tells the same: one retry for it.
  if (q.impliedNak) return;
  q.impliedNak = true;
  retry(core, qp, q.una);
}

function handleAcknowledge(core: Core, qp: QueuePair, packet: Packet): void {
  const { psn, aeth } = packet;
  if (aeth === undefined) return;
  const { kind, value } = decodeSyndrome(aeth.syndrome);
  switch (kind) {
    case 'ack':
      if (!acknowledge(core, qp, psnAdd(psn, 1))) impliedNak(core, qp);
      return;
    case 'rnr-nak':
      if (!acknowledge(core, qp, psn)) impliedNak(core, qp);
      else waitForReceiver(core, qp, psn, value);
      return;
    case 'nak':
      handleNak(core, qp, psn, value);
      return;
    case 'reserved':
      failHead(core, qp, 'IBV_WC_BAD_RESP_ERR');
      return;
  }
}

function handleNak(core: Core, qp: QueuePair, psn: number, value: number): void {
  const name = nakCodes.find((n) => n.code === value)?.name;
  const complete = acknowledge(core, qp, psn);
  if (name === 'psn-sequence-error') {
    retry(core, qp, complete ? psn : qp.requester.una);
    return;
  }
  if (!complete) impliedNak(core, qp);
  else failHead(core, qp, (name === undefined ? undefined : fatal[name]) ?? 'IBV_WC_BAD_RESP_ERR');
}

function handleRead(core: Core, qp: QueuePair, packet: Packet): void {
  const { psn, payload } = packet;
  const wqe = find(qp, psn);
  if (wqe?.kind !== 'read') {
    failHead(core, qp, 'IBV_WC_BAD_RESP_ERR');
    return;
  }
  // Also acknowledges what was sent before the READ; a hole before this response is an implied NAK.
  if (!acknowledge(core, qp, psn)) {
    impliedNak(core, qp);
    return;
  }
  const offset = psnDiff(psn, wqe.psn) * qp.mtu;
  const last = psnDiff(psn, wqe.psn) === wqe.packets - 1;
  const expected = last ? wqe.length - offset : qp.mtu;
  if (payload.length !== expected || !positionFits(packet, wqe, last)) {
    failHead(core, qp, 'IBV_WC_BAD_RESP_ERR');
    return;
  }
  if (!core.memory.scatter(wqe.wr.sg_list, offset, payload, qp.pd)) {
    failHead(core, qp, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  advance(core, qp, psnAdd(psn, 1));
}

function positionFits(packet: Packet, wqe: SendWqe, last: boolean): boolean {
  const position = packet.info?.operation ?? '';
  // After a resend from here, a response to the request before it is as good as one to the new request.
  const first = packet.psn === wqe.requestPsn;
  if (packet.psn === wqe.psn) return position.endsWith(last ? '_ONLY' : '_FIRST');
  if (last) return position.endsWith('_LAST') || (first && position.endsWith('_ONLY'));
  return position.endsWith('_MIDDLE') || (first && position.endsWith('_FIRST'));
}

function handleAtomic(core: Core, qp: QueuePair, packet: Packet): void {
  const { psn, atomicOriginal } = packet;
  const wqe = find(qp, psn);
  if (wqe?.kind !== 'atomic' || atomicOriginal === undefined) {
    failHead(core, qp, 'IBV_WC_BAD_RESP_ERR');
    return;
  }
  if (!acknowledge(core, qp, psn)) {
    impliedNak(core, qp);
    return;
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, atomicOriginal, true);
  if (!core.memory.scatter(wqe.wr.sg_list, 0, bytes, qp.pd)) {
    failHead(core, qp, 'IBV_WC_LOC_PROT_ERR');
    return;
  }
  advance(core, qp, psnAdd(psn, 1));
}
