import type { Wc } from '../../../spec/verbs.ts';
import type { Device } from './device.ts';

/** A completion queue. `failed` after an overrun: it takes and gives nothing any more. */
export interface CompletionQueue {
  readonly handle: number;
  readonly capacity: number;
  entries: Wc[];
  armed: boolean;
  failed: boolean;
}

export function makeCq(handle: number, capacity: number): CompletionQueue {
  return { handle, capacity, entries: [], armed: false, failed: false };
}

/** A completion that a CQ has no room for: the CQ is in error, and every QP on it with it. */
export function overrun(device: Device, cq: CompletionQueue): void {
  const { fault } = device;
  if (fault === 'cq-overflow-silent') return;
  if (fault === 'cq-overflow-survived' && reported.has(cq)) return;
  reported.add(cq);
  cq.failed = fault !== 'cq-overflow-survived';
  device.raise({ event_type: 'IBV_EVENT_CQ_ERR', cq: cq.handle });
  if (fault === 'cq-error-not-spread' || fault === 'cq-overflow-survived') return;
  for (const qp of device.qps.values()) {
    if (qp.sendCq !== cq && qp.recvCq !== cq) continue;
    device.raise({ event_type: 'IBV_EVENT_QP_FATAL', qp_num: qp.num });
    if (fault !== 'fatal-event-state-kept') device.fail(qp);
  }
}

/** CQs of a mutant that have overflowed before */
const reported = new WeakSet<CompletionQueue>();
