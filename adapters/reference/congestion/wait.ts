import { seam } from '../seam.ts';
import type { Direction } from './direction.ts';
import type { LimiterState } from './limiter-state.ts';

/** Nanoseconds until the next packet may leave. */
export const waitOf = seam(({ next, options }: LimiterState, direction: Direction): number =>
  Math.max(0, next[direction] - options.clock.now()),
);

/** A new rate. */
export function change(limiter: LimiterState, rate: number): void {
  waitAnew(limiter, rate);
  limiter.rate = rate;
}

/** What a packet that has left still has to be waited for is waited for at the new rate. */
export const waitAnew = seam((limiter: LimiterState, rate: number): void => {
  for (const direction of ['requests', 'read-responses'] as const) {
    const wait = waitOf(limiter, direction);
    if (wait > 0)
      limiter.next[direction] = limiter.options.clock.now() + Math.ceil((wait * limiter.rate) / rate);
  }
});
