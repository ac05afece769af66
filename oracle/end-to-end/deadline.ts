import { rnrNanoseconds } from '../../spec/constants.ts';
import type { RetryLimits } from '../device/retry-limits.ts';
import type { End, OpenSend } from './end.ts';

/** When a work request that nobody answers has failed at the latest, in nanoseconds; infinite where it may wait for ever. */
export function deadline(
  limits: RetryLimits,
  from: End,
  to: End | undefined,
  { t }: OpenSend,
  reason: string,
  responseTime: number,
): number {
  if (reason !== 'no-receive') return t + limits.givenUp(from.qp, responseTime);
  const wait = rnrNanoseconds(to?.qp.minRnrTimer ?? 0);
  return t + limits.rnrGivenUp(from.qp, responseTime, wait);
}
