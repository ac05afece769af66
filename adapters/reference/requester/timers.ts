import { ackTimeout, rnrMicroseconds } from '../../../spec/constants.ts';
import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../core.ts';
import type { QueuePair } from '../qp.ts';
import { failHead } from './complete.ts';
import { goBack, schedule } from './send.ts';

/** Starts or restarts the ACK timer if something is outstanding that must be answered; stops it if not. */
export function restartAckTimer(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  const code = qp.attr.timeout ?? 0;
  const waits = q.askedUpTo !== undefined && psnDiff(q.askedUpTo, q.una) >= 0;
  if (code === ackTimeout.off || !waits || q.rnrTimer !== undefined) {
    q.timer?.cancel();
    q.timer = undefined;
    return;
  }
  const wait = ackTimeout.baseNanoseconds * 2 ** code * core.config.timeoutFactor;
  q.deadline = core.clock.now() + wait;
  // A running timer looks at the deadline when it fires: progress costs no timer of its own.
  q.timer ??= core.clock.setTimer(wait, () => expire(core, qp));
}

function expire(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  q.timer = undefined;
  const left = q.deadline - core.clock.now();
  if (left > 0) {
    q.timer = core.clock.setTimer(left, () => expire(core, qp));
    return;
  }
  retry(core, qp, q.una);
}

/** One retry on the transport counter, from `psn` on; the QP fails where none is left. */
export function retry(core: Core, qp: QueuePair, psn: number): void {
  const q = qp.requester;
  if (q.retriesLeft === 0) {
    failHead(core, qp, 'IBV_WC_RETRY_EXC_ERR');
    return;
  }
  q.retriesLeft--;
  goBack(qp, psn);
  schedule(core, qp);
  restartAckTimer(core, qp);
}

/** The peer was not ready: wait as long as it says, then resend from `psn`. */
export function waitForReceiver(core: Core, qp: QueuePair, psn: number, code: number): void {
  const q = qp.requester;
  if (qp.attr.rnr_retry !== 7) {
    if (q.rnrLeft === 0) {
      failHead(core, qp, 'IBV_WC_RNR_RETRY_EXC_ERR');
      return;
    }
    q.rnrLeft--;
  }
  goBack(qp, psn);
  q.rnrTimer?.cancel();
  q.rnrTimer = core.clock.setTimer((rnrMicroseconds[code] ?? 0) * 1000, () => {
    q.rnrTimer = undefined;
    schedule(core, qp);
  });
  restartAckTimer(core, qp);
}
