import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { canMigrate, migrate } from '../path-migration/migration.ts';
import { schedule } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
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
  if (exhausted(core, qp)) {
    if (!canMigrate(core, qp)) {
      failHead(
        core,
        qp,
        core.fault === 'retry-exhausted-status' ? 'IBV_WC_REM_OP_ERR' : 'IBV_WC_RETRY_EXC_ERR',
      );
      return;
    }
    migrate(core, qp);
    if (core.fault !== 'migration-counter-not-reloaded') q.retriesLeft = qp.attr.retry_cnt ?? 0;
  } else if (core.fault !== `${cause}-not-counted`) {
    q.retriesLeft--;
    if (cause === 'timeout' && core.fault === 'timeout-consumes-rnr-retries')
      q.rnrLeft = Math.max(0, q.rnrLeft - 1);
  }
  if (cause !== 'implied-nak') q.gapPsn = undefined;
  if (core.fault === 'timer-runs-in-rnr-wait') {
    q.rnrTimer?.cancel();
    q.rnrTimer = undefined;
  }
  q.recovering = true;
  q.retryPsn = psn;
  goBack(core, qp, psn, cause);
  // It runs again when the first request that must be answered leaves.
  stopAckTimer(q);
  // The limit of four times T is for the detection; what is sent at once keeps within it as well.
  if (cause === 'timeout') qp.pump();
  else schedule(core, qp);
}

function exhausted({ fault }: Core, { attr, requester: q }: QueuePair): boolean {
  if (fault === 'one-retry-less') return q.retriesLeft <= 1;
  if (fault === 'one-retry-more') return q.retriesLeft < 0;
  return q.retriesLeft <= 0 && (attr.retry_cnt !== 7 || fault !== 'retry-seven-infinite');
}

/** Sending begins anew at `psn`, or before it where the device prefers so. */
function goBack(core: Core, qp: QueuePair, psn: number, cause: Cause): void {
  const q = qp.requester;
  const { fault, config } = core;
  let next = psnDiff(psn, q.una) < 0 ? q.una : psn;
  const newest = q.queue.findLast((wqe) => wqe.launched);
  if (fault === 'timeout-resends-newest' && cause === 'timeout') next = newest?.psn ?? next;
  if (fault === 'retry-skips-one' && psnDiff(q.end, next) > 1) next = (next + 1) & 0xffffff;
  const wqe = find(qp, next);
  if (wqe !== undefined) {
    const whole = wqe.kind === 'read' ? config.readRetry === 'whole' : config.retryFrom === 'message';
    if (whole) next = wqe.psn;
  }
  q.next = next;
  q.faulty.lone =
    fault === 'retry-first-only' || (fault === 'implied-nak-retries-one-request' && cause === 'implied-nak');
}
