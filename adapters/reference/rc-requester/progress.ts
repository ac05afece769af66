import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { schedule } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { completePassed } from './complete.ts';
import { endRnrWait } from './rnr.ts';
import type { SendWqe } from './state.ts';
import { noteAnswer } from './timers.ts';

/** What kind of answer told it, since an RNR NAK may leave the RNR counter as it is. */
export type Teller = 'rnr-nak' | 'other';

/** Acknowledges all before `end`. False where an unanswered READ or ATOMIC stands in between: an implied NAK. */
export function acknowledge(core: Core, qp: QueuePair, end: number, teller: Teller = 'other'): boolean {
  const q = qp.requester;
  const blocking = q.queue.find(
    (wqe) => wqe.launched && needsData(core, wqe) && psnDiff(end, unanswered(qp, wqe)) > 0,
  );
  let upTo = blocking === undefined ? end : unanswered(qp, blocking);
  const [head] = q.queue;
  if (core.fault === 'coalesced-ack-completes-one' && head !== undefined) {
    const passed = psnAdd(head.psn, head.packets);
    if (psnDiff(upTo, passed) > 0) upTo = passed;
  }
  if (psnDiff(upTo, q.una) > 0) advance(core, qp, upTo, teller);
  return blocking === undefined;
}

function needsData({ fault }: Core, { kind }: SendWqe): boolean {
  return (
    (kind === 'read' && fault !== 'ack-completes-open-read') ||
    (kind === 'atomic' && fault !== 'ack-completes-open-atomic')
  );
}

/** First PSN of a READ or ATOMIC whose response is missing. */
function unanswered(qp: QueuePair, wqe: SendWqe): number {
  const { una } = qp.requester;
  return psnDiff(una, wqe.psn) > 0 ? una : wqe.psn;
}

/** All before `una` is acknowledged, which is more than was. */
export function advance(core: Core, qp: QueuePair, una: number, teller: Teller = 'other'): void {
  const q = qp.requester;
  q.una = una;
  if (psnDiff(q.next, una) < 0) q.next = una;
  q.gapPsn = undefined;
  q.recovering = false;
  const cleared = completePassed(core, qp);
  if (cleared > 0 || core.config.counterReload === 'packet') reload(core, qp, teller);
  endRnrWait(core, qp);
  noteAnswer(core, qp, core.arrival);
  schedule(core, qp);
}

function reload(core: Core, qp: QueuePair, teller: Teller): void {
  const q = qp.requester;
  if (core.fault !== 'retry-counter-never-reloaded') q.retriesLeft = qp.attr.retry_cnt ?? 0;
  if (core.fault === 'rnr-counter-never-reloaded') return;
  if (teller === 'other' || core.config.rnrNakReloads) q.rnrLeft = qp.attr.rnr_retry ?? 0;
}
