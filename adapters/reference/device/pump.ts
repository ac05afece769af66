import type { Core } from './core.ts';
import type { QueuePair } from './qp.ts';
import { seam } from '../seam.ts';

/** Has the send queue looked at soon. */
export function schedule(core: Core, qp: QueuePair): void {
  pumpIn(core, qp, core.config.processingDelay);
}

/** A verbs call gave the send queue something to do. */
export const called = seam((core: Core, qp: QueuePair): void => {
  schedule(core, qp);
});

/** The time has come to look at the send queue. */
export const pumped = seam((_core: Core, qp: QueuePair): void => {
  qp.pump();
});

/** Has the send queue looked at after `delay` nanoseconds. */
export function pumpIn(core: Core, qp: QueuePair, delay: number): void {
  const q = qp.requester;
  if (q.scheduled) return;
  q.scheduled = true;
  core.clock.setTimer(delay, () => {
    // A reset in between has given the QP a new state.
    if (qp.requester !== q) return;
    q.scheduled = false;
    pumped(core, qp);
  });
}
