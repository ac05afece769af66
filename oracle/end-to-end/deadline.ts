import { ackTimeout, rnrMicroseconds } from '../../spec/constants.ts';
import type { EffectsEnd, OpenSend } from './end.ts';
import type { Reason } from './reason.ts';

/** When a work request that nobody answers has failed at the latest, in nanoseconds; infinite where it may wait for ever. */
export function deadline(
  from: EffectsEnd,
  to: EffectsEnd | undefined,
  { t }: OpenSend,
  reason: Reason,
  responseTime: number,
): number {
  const { timeout = 0, retry_cnt = 0, rnr_retry = 0 } = from.qp.attr;
  if (reason === 'no-receive') {
    if (rnr_retry === 7) return Number.POSITIVE_INFINITY;
    const wait = 1000 * (rnrMicroseconds[to?.qp.attr.min_rnr_timer ?? 0] ?? 0);
    return t + (rnr_retry + 1) * (10 * wait + responseTime);
  }
  if (timeout === ackTimeout.off) return Number.POSITIVE_INFINITY;
  const most = ackTimeout.windowFactor * ackTimeout.baseNanoseconds * 2 ** timeout;
  return t + (retry_cnt + 1) * (most + responseTime);
}
