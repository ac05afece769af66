import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { schedule } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { completePassed } from './complete.ts';
import { endRnrWait } from './rnr.ts';
import type { SendWqe } from './state.ts';
import { noteAnswer } from './timers.ts';

/** What kind of answer showed it, since a NAK may leave the RNR counter as it is. */
export type Teller = 'rnr-nak' | 'sequence-nak' | 'other';

/** Acknowledges all before `end`. False where an unanswered READ or ATOMIC is in between: an implied NAK. */
export function acknowledge(core: Core, qp: QueuePair, end: number, teller: Teller = 'other'): boolean {
  const blocking = qp.requester.queue.find(
    (wqe) => wqe.launched && needsData(core, wqe) && psnDiff(end, unanswered(qp, wqe)) > 0,
  );
  acknowledgeUpTo(core, qp, blocking === undefined ? end : unanswered(qp, blocking), teller);
  return blocking === undefined;
}

/** Whether a request is complete only with the data that answers it. */
export const needsData = seam(
  (_core: Core, { kind }: SendWqe): boolean => kind === 'read' || kind === 'atomic',
);

export const acknowledgeUpTo = seam((core: Core, qp: QueuePair, end: number, teller: Teller): void => {
  if (psnDiff(end, qp.requester.una) > 0) advance(core, qp, end, teller);
});

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
  if (cleared > 0 || core.config.counterReload === 'packet') {
    reloadRetries(core, qp);
    if (reloadsRnr(core, teller)) reloadRnrRetries(core, qp);
  }
  endRnrWait(core, qp);
  noteAnswer(core, qp, core.arrival);
  schedule(core, qp);
}

function reloadsRnr({ config }: Core, teller: Teller): boolean {
  if (teller === 'rnr-nak') return config.rnrNakReloads;
  return teller === 'other' || config.sequenceNakReloadsRnr !== 'never';
}

export const reloadRetries = seam((_core: Core, { attr, requester }: QueuePair): void => {
  requester.retriesLeft = attr.retry_cnt ?? 0;
});

export const reloadRnrRetries = seam((_core: Core, { attr, requester }: QueuePair): void => {
  requester.rnrLeft = attr.rnr_retry ?? 0;
});
