import { ackTimeout } from '../../../spec/constants.ts';
import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { retry } from './retry.ts';
import { stopAckTimer, type RequesterState, type SendWqe } from './state.ts';

/** From the reference instant to the detection of a missing answer; `undefined` where the timer is off. */
function ackInterval({ fault, config }: Core, { attr, requester: q }: QueuePair): number | undefined {
  let code = attr.timeout ?? 0;
  if (fault === 'ack-timer-missing') return undefined;
  if (code === ackTimeout.off) {
    if (fault !== 'timeout-zero-fires') return undefined;
    code = 8;
  }
  if (fault !== 'min-timeout-not-raised') code = Math.max(code, config.minTimeout);
  const t = ackTimeout.baseNanoseconds * (fault === 'timeout-linear' ? code : 2 ** code);
  if (fault === 'timeout-below-t') return t / 2;
  if (fault === 'timeout-backs-off') return t * 2 * 2 ** ((attr.retry_cnt ?? 0) - q.retriesLeft);
  return t * (fault === 'timeout-above-4t' ? 8 : config.timeoutFactor);
}

/** Whether a request packet has to be answered, so that the ACK timer has to run. */
export function mustBeAnswered({ fault }: Core, { kind }: SendWqe, ackReq: boolean): boolean {
  if (kind === 'read') return fault !== 'timer-ignores-reads';
  if (kind === 'atomic') return fault !== 'timer-ignores-atomics';
  return ackReq && fault !== 'timer-ignores-ackreq';
}

function awaitsAnswer({ askedUpTo, una }: RequesterState): boolean {
  return askedUpTo !== undefined && psnDiff(askedUpTo, una) >= 0;
}

/** A request that must be answered left at `instant`: the interval counts from there. */
export function noteRequest(core: Core, qp: QueuePair, instant: number): void {
  if (!core.config.requestRestartsTimer && qp.requester.deadline !== undefined) return;
  restart(core, qp, instant);
}

/** A valid answer came at `instant`: the interval counts from there, or the timer stops if nothing is outstanding. */
export function noteAnswer(core: Core, qp: QueuePair, instant: number): void {
  const q = qp.requester;
  if (core.fault === 'timer-not-restarted-by-responses' && awaitsAnswer(q)) return;
  if (core.fault === 'timer-not-stopped' && !awaitsAnswer(q)) return;
  restart(core, qp, instant);
}

/** An answer that tells nothing came at `instant`: the timer, if it runs, begins anew. */
export function noteVoidAnswer(core: Core, qp: QueuePair, instant: number): void {
  if (qp.requester.deadline !== undefined) restart(core, qp, instant);
}

function restart(core: Core, qp: QueuePair, instant: number): void {
  const q = qp.requester;
  const interval = ackInterval(core, qp);
  const waiting = q.rnrTimer !== undefined && core.fault !== 'timer-runs-in-rnr-wait';
  if (interval === undefined || waiting || !awaitsAnswer(q)) {
    stopAckTimer(q);
    return;
  }
  q.deadline = Math.max(q.deadline ?? 0, instant + interval);
  // A running timer looks at the deadline when it fires: progress costs no timer of its own.
  q.timer ??= core.clock.setTimer(q.deadline - core.clock.now(), () => fire(core, qp));
}

function fire(core: Core, qp: QueuePair): void {
  const q = qp.requester;
  q.timer = undefined;
  // An answer that has reached the port in time counts, even if it has not been looked at.
  core.catchUp();
  if (q.deadline === undefined || q.timer !== undefined) return;
  const left = q.deadline - core.clock.now();
  if (left > 0) {
    q.timer = core.clock.setTimer(left, () => fire(core, qp));
    return;
  }
  if (core.fault === 'ack-timer-once' && q.faulty.timedOut) return;
  q.faulty.timedOut = true;
  if (awaitsAnswer(q)) retry(core, qp, q.una, 'timeout');
  else if (q.faulty.lastSent !== undefined) core.transmit(qp, q.faulty.lastSent);
}
