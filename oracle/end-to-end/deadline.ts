import { rnrMicroseconds } from '../../spec/constants.ts';
import type { RetryLimits } from '../device/retry-limits.ts';
import type { EffectsEnd, OpenSend } from './end.ts';
import type { Reason } from './reason.ts';

/** When a work request that nobody answers has failed at the latest, in nanoseconds; infinite where it may wait for ever. */
export function deadline(
  limits: RetryLimits,
  from: EffectsEnd,
  to: EffectsEnd | undefined,
  { t }: OpenSend,
  reason: Reason,
  responseTime: number,
): number {
  if (reason !== 'no-receive') return t + limits.givenUp(from.qp, responseTime);
  const wait = 1000 * (rnrMicroseconds[to?.qp.minRnrTimer ?? 0] ?? 0);
  return t + limits.rnrGivenUp(from.qp, responseTime, wait);
}
