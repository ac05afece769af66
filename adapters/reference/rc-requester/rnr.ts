import { rnrNanoseconds } from '../../../spec/constants.ts';
import type { WcStatus } from '../../../spec/verbs.ts';
import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { schedule } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { failHead } from './complete.ts';
import { stopAckTimer } from './state.ts';

/** Value of rnr_retry that stands for as many retries as it takes. */
const unlimited = 7;

type Fail = (status: WcStatus) => void;

/**
 * The peer was not ready for the request at `psn`: wait as long as it says, then send again from there. `fail`: what to do with
 * the status of a request for which no retry is left.
 */
export const waitForReceiver = seam(
  (
    core: Core,
    qp: QueuePair,
    psn: number,
    code: number,
    fail: Fail = (status) => failHead(core, qp, status),
  ): void => {
    const q = qp.requester;
    const again = q.rnrTimer !== undefined && psn === q.rnrPsn;
    if (again && core.config.rnrNakAgain === 'ignored') return;
    const status = spendRnrRetry(core, qp);
    if (status !== undefined) {
      fail(status);
      return;
    }
    q.next = resumeAt(core, qp, psn);
    q.rnrPsn = psn;
    q.gapPsn = undefined;
    const wait = rnrWait(core, qp, code);
    q.rnrTimer?.cancel();
    q.rnrTimer = core.clock.setTimer(Math.max(0, waitsSince(core, qp) + wait - core.clock.now()), () => {
      q.rnrTimer = undefined;
      endOfRnrWait(core, qp, wait);
    });
    pauseAckTimer(core, qp);
  },
);

/** One retry on the RNR counter; the status to fail with where none is left. */
export const spendRnrRetry = seam((core: Core, qp: QueuePair): WcStatus | undefined => {
  if (rnrUnlimited(core, qp)) return undefined;
  if (rnrExhausted(core, qp)) return 'IBV_WC_RNR_RETRY_EXC_ERR';
  qp.requester.rnrLeft--;
  return undefined;
});

export const rnrUnlimited = seam((_core: Core, { attr }: QueuePair): boolean => attr.rnr_retry === unlimited);

export const rnrExhausted = seam((_core: Core, { requester }: QueuePair): boolean => requester.rnrLeft <= 0);

/** The PSN to send again from. */
export const resumeAt = seam((_core: Core, _qp: QueuePair, psn: number): number => psn);

/** The instant that an RNR wait counts from. */
export const waitsSince = seam((core: Core, _qp: QueuePair): number => core.arrival);

/** Nanoseconds to wait for a timer code. */
export const rnrWait = seam(
  ({ config }: Core, _qp: QueuePair, code: number): number => minimalWait(code) * config.rnrWaitFactor,
);

export function minimalWait(code: number): number {
  return rnrNanoseconds(code);
}

/** An RNR wait of so many nanoseconds is over. */
export const endOfRnrWait = seam((core: Core, qp: QueuePair, _wait: number): void => {
  schedule(core, qp);
});

/** Whoever waits for the receiver does not wait for an ACK. */
export const pauseAckTimer = seam((_core: Core, qp: QueuePair): void => {
  stopAckTimer(qp.requester);
});

/** The refused request was acknowledged after all: there is nothing left to wait for. */
export function endRnrWait(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  if (q.rnrTimer === undefined || !core.config.progressEndsRnrWait) return;
  if (psnDiff(q.una, q.rnrPsn) <= 0) return;
  q.rnrTimer.cancel();
  q.rnrTimer = undefined;
}
