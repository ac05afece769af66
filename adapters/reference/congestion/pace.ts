import { seam } from '../seam.ts';
import type { Direction } from './direction.ts';
import { increase } from './increase.ts';
import type { LimiterState } from './limiter-state.ts';

/** A packet of so many bytes has left. */
export function left(limiter: LimiterState, direction: Direction, bytes: number): void {
  const { next, options } = limiter;
  const apart = options.settings.directions === 'apart';
  const from = Math.max(options.clock.now(), next[direction]);
  const then = from + spanOf(limiter, bytes);
  if (apart) next[direction] = then;
  else next.requests = next['read-responses'] = then;
  if (limiter.cuts > 0 && !(apart && direction === 'read-responses')) countBytes(limiter, bytes);
}

/** Nanoseconds that a frame of so many bytes takes at the rate. */
export const spanOf = seam((limiter: LimiterState, bytes: number): number =>
  Math.ceil((bytes * 8e9) / departureRate(limiter)),
);

/** Bits per second that packets leave at. */
export const departureRate = seam((limiter: LimiterState): number => limiter.rate);

/** Bytes of what leaves without a cut make an increase event. */
export const countBytes = seam((limiter: LimiterState, bytes: number): void => {
  limiter.bytes += bytes;
  if (limiter.bytes >= limiter.parameters.bytes) increase(limiter, 'bytes');
});
