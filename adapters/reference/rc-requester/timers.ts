import { ackTimeout } from '../../../spec/constants.ts';
import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { retry } from './retry.ts';
import { stopAckTimer, type RequesterState, type SendWqe } from './state.ts';

/** From the reference instant to the detection of a missing answer, in nanoseconds; `undefined` where the timer is off. */
function ackInterval(core: Core, qp: QueuePair): number | undefined {
  const code = timeoutCode(core, qp);
  return code === ackTimeout.off ? undefined : detectedAfter(core, qp, timeoutOf(core, code));
}

/** The code of the ACK timeout that is in effect: small ones act like the smallest. */
export const timeoutCode = seam(({ config }: Core, { attr }: QueuePair): number => {
  const code = attr.timeout ?? ackTimeout.off;
  return code === ackTimeout.off ? code : Math.max(code, config.minTimeout);
});

/** T of a code, in nanoseconds. */
export const timeoutOf = seam((_core: Core, code: number): number => ackTimeout.baseNanoseconds * 2 ** code);

/** A missing answer is detected between T and four times T. */
export const detectedAfter = seam(
  ({ config }: Core, _qp: QueuePair, t: number): number => t * config.timeoutFactor,
);

/** Whether a request packet has to be answered, so that the ACK timer has to run. */
export const mustBeAnswered = seam(
  (_core: Core, { kind }: SendWqe, ackReq: boolean): boolean =>
    kind === 'read' || kind === 'atomic' || ackReq,
);

export function awaitsAnswer({ askedUpTo, una }: RequesterState): boolean {
  return askedUpTo !== undefined && psnDiff(askedUpTo, una) >= 0;
}

/** A request that must be answered left at `instant`: the interval counts from there. */
export function noteRequest(core: Core, qp: QueuePair, instant: number): void {
  if (!core.config.requestRestartsTimer && qp.requester.deadline !== undefined) return;
  restart(core, qp, instant);
}

/** A valid answer came at `instant`: the interval counts from there, or the timer stops if nothing is outstanding. */
export const noteAnswer = seam((core: Core, qp: QueuePair, instant: number): void => {
  restart(core, qp, instant);
});

/** An answer that acknowledges nothing came at `instant`: the timer, if it runs, is restarted. */
export function noteVoidAnswer(core: Core, qp: QueuePair, instant: number): void {
  if (qp.requester.deadline !== undefined) restart(core, qp, instant);
}

function restart(core: Core, qp: QueuePair, instant: number): void {
  const q = qp.requester;
  const interval = ackInterval(core, qp);
  if (interval === undefined || isPaused(core, q) || !awaitsAnswer(q)) {
    stopAckTimer(q);
    return;
  }
  q.timedFrom = q.deadline === undefined ? instant : Math.max(q.timedFrom, instant);
  q.deadline = q.timedFrom + interval;
  // A running timer looks at the deadline when it fires: progress costs no timer of its own. Another path may have a shorter interval.
  if (q.timer === undefined || q.firesAt > q.deadline) setTimer(core, qp, q.deadline);
}

function setTimer(core: Core, qp: QueuePair, at: number): void {
  const q = qp.requester;
  q.timer?.cancel();
  q.firesAt = at;
  q.timer = core.clock.setTimer(Math.max(0, at - core.clock.now()), () => fire(core, qp));
}

/** The ACK timer is stopped while the requester waits for the receiver. */
export const isPaused = seam((_core: Core, { rnrTimer }: RequesterState): boolean => rnrTimer !== undefined);

function fire(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  q.timer = undefined;
  // An answer that has reached the port in time counts, even if it has not been looked at.
  core.catchUp();
  if (q.deadline === undefined || q.timer !== undefined) return;
  if (q.deadline > core.clock.now()) setTimer(core, qp, q.deadline);
  else timeOut(core, qp);
}

/** No answer came in time. */
export const timeOut = seam((core: Core, qp: QueuePair): void => {
  if (awaitsAnswer(qp.requester)) retry(core, qp, qp.requester.una, 'timeout');
});
