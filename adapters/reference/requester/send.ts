import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../core.ts';
import type { QueuePair } from '../qp.ts';
import { failHead, noticeDrained } from './complete.ts';
import { packetAt, packetsOf } from './segment.ts';
import type { SendWqe } from './state.ts';
import { restartAckTimer } from './timers.ts';

/** Has the send queue looked at soon. */
export function schedule(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  if (q.scheduled) return;
  q.scheduled = true;
  core.clock.setTimer(core.config.processingDelay, () => {
    // A reset in between has given the QP a new state.
    if (qp.requester !== q) return;
    q.scheduled = false;
    pump(core, qp);
  });
}

/** Resending starts at `psn`, never before the oldest unacknowledged one. */
export function goBack(qp: QueuePair, psn: number): void {
  const q = qp.requester;
  q.next = psnDiff(psn, q.una) < 0 ? q.una : psn;
}

/** Sends as much as window, credits of READ and ATOMIC, fences and the QP's state allow. */
export function pump(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  let sent = false;
  while (qp.state === 'IBV_QPS_RTS' || qp.state === 'IBV_QPS_SQD') {
    if (q.rnrTimer !== undefined || psnDiff(q.next, q.una) >= core.config.window) break;
    const wqe = q.next === q.end ? launch(core, qp) : find(qp, q.next);
    if (wqe === undefined) break;
    const fields = packetAt(core, qp, wqe, q.next);
    if (fields === undefined) {
      // Earlier requests complete first; then this one is the head and fails.
      if (q.queue[0] === wqe) failHead(core, qp, 'IBV_WC_LOC_PROT_ERR');
      break;
    }
    const from = q.next;
    if (wqe.kind === 'read') {
      wqe.requestPsn = from;
      q.next = psnAdd(wqe.psn, wqe.packets);
    } else q.next = psnAdd(from, 1);
    if (psnDiff(q.next, q.end) > 0) q.end = q.next;
    // The last packet that the window lets out has to ask, or nobody would ever open it.
    if (psnDiff(q.next, q.una) >= core.config.window) fields.ackReq = true;
    if (fields.ackReq === true) {
      const newest = psnAdd(q.next, -1);
      if (q.askedUpTo === undefined || psnDiff(newest, q.askedUpTo) > 0) q.askedUpTo = newest;
    }
    core.transmit(qp, fields);
    sent = true;
  }
  // The interval counts from the newest request that has to be answered.
  if (sent) restartAckTimer(core, qp);
  noticeDrained(core, qp);
}

function launch(core: Core, qp: QueuePair): SendWqe | undefined {
  const q = qp.requester;
  let readsAndAtomics = 0;
  for (const wqe of q.queue) {
    if (wqe.launched) {
      if (psnDiff(psnAdd(wqe.psn, wqe.packets), q.next) > 0) return wqe;
      if (wqe.kind === 'read' || wqe.kind === 'atomic') readsAndAtomics++;
      continue;
    }
    // SQD finishes what has been started and starts nothing.
    if (qp.state === 'IBV_QPS_SQD') return undefined;
    const limited = wqe.kind === 'read' || wqe.kind === 'atomic';
    if (limited && readsAndAtomics >= (qp.attr.max_rd_atomic ?? 0)) return undefined;
    if (readsAndAtomics > 0 && wqe.wr.send_flags?.includes('IBV_SEND_FENCE') === true) return undefined;
    wqe.launched = true;
    wqe.psn = q.next;
    wqe.packets = wqe.kind === 'atomic' ? 1 : packetsOf(wqe.length, qp.mtu);
    return wqe;
  }
  return undefined;
}

/** The launched WQE that a PSN belongs to. */
export function find(qp: QueuePair, psn: number): SendWqe | undefined {
  return qp.requester.queue.find((wqe) => {
    const d = psnDiff(psn, wqe.psn);
    return wqe.launched && d >= 0 && d < wqe.packets;
  });
}
