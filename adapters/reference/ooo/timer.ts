import type { Core } from '../device/core.ts';
import { canMigrate, migrate } from '../path-migration/migration.ts';
import { failOldest } from './fail.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';
import type { Flight, OooRequester, Outgoing } from './state.ts';

/** Request packets that are neither acknowledged nor, for READ and ATOMIC, answered. */
function inFlight(core: Core, { outgoing }: OooRequester): number {
  let n = 0;
  for (const request of outgoing)
    for (const flight of request.flights) if (isOpen(core, request, flight)) n++;
  return n;
}

export const isOpen = seam(
  (_core: Core, { missing }: Outgoing, { acknowledged }: Flight): boolean => !acknowledged || missing > 0,
);

/** The timer restarts: something was sent, or something new was acknowledged. It stops where nothing is awaited. */
export function restartTimer(core: Core, qp: OooQp): void {
  const q = qp.ooo.requester;
  stopTimer(q);
  if (q.outgoing.length === 0 || isOff(core, qp) || qp.requester.rnrTimer !== undefined) return;
  q.timer = core.clock.setTimer(timeoutOf(core, q), () => {
    q.timer = undefined;
    core.catchUp();
    // What has reached the port in time may have restarted it, or asked to wait.
    const stands = q.timer === undefined && qp.requester.rnrTimer === undefined;
    if (stands && qp.ooo.requester === q && q.outgoing.length > 0) expire(core, qp);
  });
}

/** Nanoseconds without news after which a packet counts as lost: fewer where few packets are in flight. */
export const timeoutOf = seam((core: Core, q: OooRequester): number => {
  const { low, high } = core.config.outOfOrder.rto;
  return isFew(core, inFlight(core, q)) ? low : high;
});

export const isFew = seam(
  ({ config }: Core, packets: number): boolean => packets < config.outOfOrder.rto.few,
);

/** Timeout 0 turns the timer off. */
export const isOff = seam((_core: Core, { attr }: OooQp): boolean => (attr.timeout ?? 0) === 0);

export function stopTimer(q: OooRequester): void {
  q.timer?.cancel();
  q.timer = undefined;
}

function expire(core: Core, qp: OooQp): void {
  const q = qp.ooo.requester;
  if (!isSpent(core, qp)) qp.requester.retriesLeft--;
  else if (canMigrate(core, qp)) {
    migrate(core, qp);
    qp.requester.retriesLeft = qp.attr.retry_cnt ?? 0;
  } else {
    failOldest(core, qp, 'IBV_WC_RETRY_EXC_ERR');
    return;
  }
  recover(core, qp);
  qp.pump();
  if (q.timer === undefined) restartTimer(core, qp);
}

/** Whether no retry is left. */
export const isSpent = seam((_core: Core, { requester }: OooQp): boolean => requester.retriesLeft <= 0);

/** A recovery begins: the oldest packet is sent again. */
export const recover = seam((_core: Core, qp: OooQp): void => {
  const q = qp.ooo.requester;
  q.recovery = qp.requester.end;
  for (const { flights } of q.outgoing) for (const flight of flights) flight.again = false;
  const oldest = oldestAwaited(q);
  if (oldest !== undefined) oldest.due = true;
});

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
