import { seam } from '../seam.ts';
import { alphaAfter } from './formulas.ts';
import type { LimiterState } from './limiter-state.ts';

/** Alpha is known anew at the end of each of its slots, which follow one another from the first CNP on. */
export function beginAlphaSlot(limiter: LimiterState): void {
  const { clock, record } = limiter.options;
  limiter.alphaTimer = clock.setTimer(alphaSlot(limiter), () => {
    limiter.alpha = alphaAfter(limiter, limiter.alpha, limiter.marks, limiter.parameters.g);
    clearMarks(limiter);
    record('alpha-slot');
    beginAlphaSlot(limiter);
  });
}

/** Nanoseconds. */
export const alphaSlot = seam(({ parameters }: LimiterState): number => parameters.alphaSlot);

export const clearMarks = seam((limiter: LimiterState): void => {
  limiter.marks = 0;
});
