import { rnrMicroseconds } from '../../../spec/constants.ts';
import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { schedule } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { failHead } from './complete.ts';
import { stopAckTimer } from './state.ts';
import { noteRequest } from './timers.ts';

/**
 * The peer was not ready for the request at `psn`: wait as long as it says, then send again from there. `fail`: what to do with
 * the status of a request for which no retry is left.
 */
export function waitForReceiver(
  core: Core,
  qp: QueuePair,
  psn: number,
  code: number,
  fail: (status: WcStatus) => void = (status) => failHead(core, qp, status),
): void {
  const q = qp.requester;
  const { fault } = core;
  if (fault === 'rnr-nak-ignored') return;
  const again = q.rnrTimer !== undefined && psn === q.rnrPsn;
  if (again && core.config.rnrNakAgain === 'ignored') return;
  const endless = fault === 'ooo-rnr-retries-endless' && qp.ooo !== undefined;
  const infinite = endless || (qp.attr.rnr_retry === 7 && fault !== 'rnr-seven-finite');
  if (!infinite || fault === 'rnr-nak-fatal') {
    if (rnrExhausted(core, qp)) {
      fail(fault === 'rnr-exhausted-status' ? 'IBV_WC_RETRY_EXC_ERR' : 'IBV_WC_RNR_RETRY_EXC_ERR');
      return;
    }
    q.rnrLeft--;
  }
  if (fault === 'rnr-consumes-retries') {
    if (q.retriesLeft === 0) {
      fail('IBV_WC_RETRY_EXC_ERR');
      return;
    }
    q.retriesLeft--;
  }
  q.next = fault === 'rnr-retry-skips-one' && psnDiff(q.end, psn) > 1 ? psnAdd(psn, 1) : psn;
  q.rnrPsn = psn;
  q.gapPsn = undefined;
  const since = fault === 'rnr-wait-from-request' ? q.faulty.sentAt : core.arrival;
  const wait = waitOf(core, qp, code);
  q.rnrTimer?.cancel();
  q.rnrTimer = core.clock.setTimer(Math.max(0, since + wait - core.clock.now()), () => {
    q.rnrTimer = undefined;
    schedule(core, qp);
    if (fault !== 'rnr-timer-repeats') return;
    core.clock.setTimer(wait + 50_000, () => {
      if (q.faulty.lastSent !== undefined && qp.requester === q) core.transmit(qp, q.faulty.lastSent);
    });
  });
  if (fault === 'timer-runs-in-rnr-wait') noteRequest(core, qp, core.arrival);
  else stopAckTimer(q);
}

/** The refused request was acknowledged after all: there is nothing left to wait for. */
export function endRnrWait(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  if (q.rnrTimer === undefined || !core.config.progressEndsRnrWait) return;
  if (psnDiff(q.una, q.rnrPsn) <= 0) return;
  q.rnrTimer.cancel();
  q.rnrTimer = undefined;
}

function rnrExhausted({ fault }: Core, { requester: q }: QueuePair): boolean {
  if (fault === 'rnr-nak-fatal') return true;
  if (fault === 'one-rnr-retry-less') return q.rnrLeft <= 1;
  return fault === 'one-rnr-retry-more' ? q.rnrLeft < 0 : q.rnrLeft <= 0;
}

/** Nanoseconds. */
function waitOf({ fault, config }: Core, { attr }: QueuePair, code: number): number {
  let row = code;
  if (fault === 'rnr-wait-own-timer') row = attr.min_rnr_timer ?? 0;
  if (fault === 'rnr-table-shifted') row = Math.max(1, code - 1);
  if (fault === 'rnr-code-zero-no-wait' && code === 0) return 0;
  const told = (rnrMicroseconds[row] ?? 0) * 1000;
  return fault === 'rnr-wait-halved' ? told / 2 : told * config.rnrWaitFactor;
}
