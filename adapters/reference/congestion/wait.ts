import { seam } from '../seam.ts';
import type { LimiterState } from './limiter-state.ts';

/** Nanoseconds until the next packet may leave. */
export const waitOf = seam(({ next, options }: LimiterState): number =>
  Math.max(0, next - options.clock.now()),
);

/** A new rate: what a packet that has left still has to be waited for is waited for at that rate. */
export function change(limiter: LimiterState, rate: number): void {
  const wait = waitOf(limiter);
  if (wait > 0) limiter.next = limiter.options.clock.now() + Math.ceil((wait * limiter.rate) / rate);
  limiter.rate = rate;
}
