import { beginAlphaSlot } from './alpha.ts';
import { notified } from './cut.ts';
import type { Direction } from './direction.ts';
import { makeLimiter, stop, type LimiterState, type RateLimiterOptions } from './limiter-state.ts';
import { left } from './pace.ts';
import { waitOf } from './wait.ts';

/**
 * Rate of one QP from its first CNP until it is back at the line rate: alpha, cuts and increases, each on a clock of its own.
 * Rates are whole bits per second.
 */
export class RateLimiter {
  readonly #state: LimiterState;

  constructor(options: RateLimiterOptions) {
    this.#state = makeLimiter(options);
    beginAlphaSlot(this.#state);
  }

  get rate(): number {
    return this.#state.rate;
  }

  /** Rate that fast recovery goes back to. */
  get target(): number {
    return this.#state.target;
  }

  /** How much of the traffic meets congestion, by an estimate in [0, 1]. */
  get alpha(): number {
    return this.#state.alpha;
  }

  /** A CNP named the QP. */
  notified(): void {
    notified(this.#state);
  }

  /** Nanoseconds until the next packet may leave. */
  wait(direction: Direction): number {
    return waitOf(this.#state, direction);
  }

  /** A packet of so many bytes has left. */
  left(direction: Direction, bytes: number): void {
    left(this.#state, direction, bytes);
  }

  /** Ends it all: no timer is left. */
  stop(): void {
    stop(this.#state);
  }
}

/** The QP sends nothing any more: what was known of its rate is forgotten. */
export function forgetRate(qp: { limiter: RateLimiter | undefined }): void {
  qp.limiter?.stop();
  qp.limiter = undefined;
}
