import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { schedule } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { canMigrate, migrate } from '../path-migration/migration.ts';
import { seam } from '../seam.ts';
import { failHead } from './complete.ts';
import { stopAckTimer } from './state.ts';
import { find } from './window.ts';

/** Why a requester sends again; RNR NAKs have a counter and a timer of their own. */
export type Cause = 'timeout' | 'sequence-nak' | 'implied-nak';

/** One retry on the transport counter, from `psn` on. Where none is left, the QP migrates or fails. */
export function retry(core: Core, qp: QueuePair, psn: number, cause: Cause): void {
  const q = qp.requester;
  const underWay = q.recovering && q.next !== q.end && psnDiff(psn, q.retryPsn) <= 0;
  if (cause !== 'timeout' && underWay && core.config.nakUnderWay === 'ignored') return;
  if (!isExhausted(core, qp)) countRetry(core, qp, cause);
  else if (canMigrate(core, qp)) takeAlternatePath(core, qp);
  else {
    failHead(core, qp, 'IBV_WC_RETRY_EXC_ERR');
    return;
  }
  if (cause !== 'implied-nak') q.gapPsn = undefined;
  q.recovering = true;
  q.retryPsn = psn;
  goBack(core, qp, psn, cause);
  // It runs again when the first request that must be answered leaves.
  stopAckTimer(q);
  // The limit of four times T is for the detection; what is sent at once keeps within it as well.
  if (cause === 'timeout') qp.pump();
  else schedule(core, qp);
}

/** Whether no retry is left. */
export const isExhausted = seam(
  (_core: Core, { requester }: QueuePair): boolean => requester.retriesLeft <= 0,
);

export const countRetry = seam((_core: Core, { requester }: QueuePair, _cause: Cause): void => {
  requester.retriesLeft--;
});

/** Retries are spent, but only on this path. */
export const takeAlternatePath = seam((core: Core, qp: QueuePair): void => {
  migrate(core, qp);
  qp.requester.retriesLeft = qp.attr.retry_cnt ?? 0;
});

/** Sending begins anew at `psn`, or before it where the device prefers so. */
export const goBack = seam((core: Core, qp: QueuePair, psn: number, cause: Cause): void => {
  const from = restartOf(core, qp, psn, cause);
  const wqe = find(qp, from);
  const whole =
    wqe?.kind === 'read' ? core.config.readRetry === 'whole' : core.config.retryFrom === 'message';
  qp.requester.next = wqe !== undefined && whole ? wqe.psn : from;
});

/** The PSN that a retry begins with: never one that is acknowledged. */
export const restartOf = seam((_core: Core, qp: QueuePair, psn: number, _cause: Cause): number => {
  const { una } = qp.requester;
  return psnDiff(psn, una) < 0 ? una : psn;
});
