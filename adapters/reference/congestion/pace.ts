import { seam } from '../seam.ts';
import { increase } from './increase.ts';
import type { LimiterState } from './limiter-state.ts';

/** A packet of so many bytes has left. */
export function left(limiter: LimiterState, bytes: number): void {
  const from = Math.max(limiter.options.clock.now(), limiter.next);
  limiter.next = from + Math.ceil((bytes * 8e9) / departureRate(limiter));
  if (limiter.cuts > 0) countBytes(limiter, bytes);
}

/** Bits per second that packets leave at. */
export const departureRate = seam((limiter: LimiterState): number => limiter.rate);

/** Bytes of what leaves without a cut make an increase event. */
export const countBytes = seam((limiter: LimiterState, bytes: number): void => {
  limiter.bytes += bytes;
  if (limiter.bytes >= limiter.parameters.bytes) increase(limiter, 'bytes');
});
