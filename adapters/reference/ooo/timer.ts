import type { Core } from '../device/core.ts';
import { canMigrate, migrate } from '../path-migration/migration.ts';
import { failOldest } from './fail.ts';
import type { OooQp } from './qp.ts';
import type { Flight, OooRequester, Outgoing } from './state.ts';

/** Request packets that are neither acknowledged nor, for READ and ATOMIC, answered. */
export function inFlight({ outgoing }: OooRequester): number {
  let n = 0;
  for (const { flights, missing } of outgoing)
    for (const { acknowledged } of flights) if (!acknowledged || missing > 0) n++;
  return n;
}

/** The timer begins anew: something was sent, or something new was told. It stops where nothing is awaited. */
export function restartTimer(core: Core, qp: OooQp): void {
  const q = qp.ooo.requester;
  stopTimer(q);
  const { low, high, few } = core.config.outOfOrder.rto;
  if (q.outgoing.length === 0 || off(core, qp) || qp.requester.rnrTimer !== undefined) return;
  const { fault } = core;
  if (fault === 'ooo-timer-missing') return;
  let wait = inFlight(q) < few + miscounted(core) ? low : high;
  if (fault === 'ooo-timeout-always-high') wait = high;
  if (fault === 'ooo-timeout-always-low') wait = low;
  if (fault === 'ooo-timeout-slow') wait *= 10;
  if (fault === 'ooo-timeout-halved') wait /= 2;
  q.timer = core.clock.setTimer(wait, () => {
    q.timer = undefined;
    core.catchUp();
    // What has reached the port in time may have started it anew, or told to wait.
    const stands = q.timer === undefined && qp.requester.rnrTimer === undefined;
    if (stands && qp.ooo.requester === q && q.outgoing.length > 0) expire(core, qp);
  });
}

/** By how many packets a mutant mistakes what the device calls few. */
function miscounted({ fault }: Core): number {
  if (fault === 'ooo-few-includes-limit') return 1;
  return fault === 'ooo-few-excludes-last' ? -1 : 0;
}

function off({ fault }: Core, { attr }: OooQp): boolean {
  return (attr.timeout ?? 0) === 0 && fault !== 'ooo-timeout-zero-fires';
}

export function stopTimer(q: OooRequester): void {
  q.timer?.cancel();
  q.timer = undefined;
}

function expire(core: Core, qp: OooQp): void {
  const q = qp.ooo.requester;
  const { fault } = core;
  const spent = qp.requester.retriesLeft <= 0 && fault !== 'ooo-never-gives-up';
  if (spent || fault === 'ooo-gives-up-early') {
    if (!canMigrate(core, qp)) {
      const mistaken = fault === 'ooo-retries-exhausted-status';
      failOldest(core, qp, mistaken ? 'IBV_WC_RNR_RETRY_EXC_ERR' : 'IBV_WC_RETRY_EXC_ERR');
      return;
    }
    migrate(core, qp);
    qp.requester.retriesLeft = qp.attr.retry_cnt ?? 0;
  } else qp.requester.retriesLeft--;
  q.recovery = qp.requester.end;
  for (const { flights } of q.outgoing)
    for (const flight of flights) {
      flight.again = false;
      if (fault === 'ooo-timeout-goes-back' && !flight.acknowledged) flight.due = true;
    }
  const oldest = oldestAwaited(q);
  if (oldest !== undefined) oldest.due = true;
  qp.pump();
  if (q.timer === undefined) restartTimer(core, qp);
}

/** The oldest packet that is not acknowledged, or whose answer is not whole; else the last one of what the MSN does not cover. */
function oldestAwaited({ outgoing }: OooRequester): Flight | undefined {
  const awaited = ({ flights, missing }: Outgoing): Flight | undefined =>
    missing > 0 ? flights[0] : flights.find(({ acknowledged }) => !acknowledged);
  for (const request of outgoing) {
    const found = awaited(request);
    if (found !== undefined) return found;
  }
  return outgoing[0]?.flights.at(-1);
}
