import { psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { resultBytes } from './data.ts';
import { retry } from './retry.ts';

/** What mutants take an answer for that tells nothing new. */
export function mistakeDuplicate(core: Core, qp: QueuePair, packet: Packet): void {
  const q = qp.requester;
  const { fault } = core;
  if (fault === 'duplicate-ack-retransmits' && psnDiff(q.end, q.una) > 0)
    retry(core, qp, q.una, 'sequence-nak');
  if (fault === 'retry-counter-reloaded-by-duplicates') q.retriesLeft = qp.attr.retry_cnt ?? 0;
  if (fault === 'rnr-counter-reloaded-by-duplicates') q.rnrLeft = qp.attr.rnr_retry ?? 0;
  if (fault === 'late-read-overwrites' || fault === 'late-atomic-overwrites') storeAgain(core, qp, packet);
}

function storeAgain(core: Core, qp: QueuePair, packet: Packet): void {
  const q = qp.requester;
  const { psn, payload, atomicOriginal } = packet;
  const wqe = [...q.faulty.retired, ...q.queue].find((candidate) => {
    const d = psnDiff(psn, candidate.psn);
    return candidate.launched && d >= 0 && d < candidate.packets;
  });
  if (wqe === undefined) return;
  if (core.fault === 'late-read-overwrites' && wqe.kind === 'read' && payload.length > 0) {
    core.memory.scatter(wqe.wr.sg_list, psnDiff(psn, wqe.psn) * qp.mtu, payload, qp.pd);
  }
  if (core.fault === 'late-atomic-overwrites' && wqe.kind === 'atomic' && atomicOriginal !== undefined) {
    core.memory.scatter(wqe.wr.sg_list, 0, resultBytes(atomicOriginal), qp.pd);
  }
}
