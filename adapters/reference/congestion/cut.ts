import { seam } from '../seam.ts';
import { afterCut } from './formulas.ts';
import { restartTimer } from './increase.ts';
import type { LimiterState } from './limiter-state.ts';
import { change } from './wait.ts';

/** A CNP named the QP. */
export function notified(limiter: LimiterState): void {
  const { marks, cuts, decreaseTimer } = limiter;
  const first = marks === 0 && cuts === 0 && decreaseTimer === undefined;
  const rate = first ? firstRate(limiter) : undefined;
  limiter.marks++;
  if (rate === undefined) {
    noteCnp(limiter);
    decrease(limiter);
  } else begin(limiter, rate);
}

/** The rate that the first CNP sets in place of a cut, if the device is made so. */
export const firstRate = seam(({ parameters }: LimiterState): number | undefined => parameters.firstRate);

function begin(limiter: LimiterState, rate: number): void {
  change(limiter, rate);
  limiter.target = rate;
  count(limiter);
  restartTimer(limiter);
  limiter.options.record('cnp');
}

/** A CNP by itself changes nothing but what the device tells. */
export const noteCnp = seam((limiter: LimiterState): void => {
  limiter.options.record('cnp');
});

/** One cut in each decrease slot that a CNP comes in: with the CNP, or at the end of the slot. */
export const decrease = seam((limiter: LimiterState): void => {
  const { clock, settings } = limiter.options;
  if (settings.cut === 'at-once') {
    // A slot begins with its cut; what else comes in it cuts nothing more.
    if (clock.now() - limiter.cutAt >= limiter.parameters.decreaseSlot) cut(limiter);
    return;
  }
  limiter.decreaseTimer ??= clock.setTimer(untilSlotEnds(limiter), () => {
    limiter.decreaseTimer = undefined;
    cut(limiter);
  });
});

/** Nanoseconds until the decrease slot ends; slots are counted from the first CNP on. */
export const untilSlotEnds = seam(({ options, origin, parameters }: LimiterState): number => {
  const { decreaseSlot } = parameters;
  const since = options.clock.now() - origin;
  const slot = Math.floor(since / decreaseSlot);
  return (slot + 1) * decreaseSlot - since;
});

export const cut = seam((limiter: LimiterState): void => {
  if (savesTarget(limiter)) limiter.target = limiter.rate;
  change(limiter, afterCut(limiter, limiter.rate, limiter.alpha, limiter.parameters));
  limiter.grown = false;
  count(limiter);
  beginRecovery(limiter);
  limiter.options.record('cut');
});

/** Whether a cut keeps the rate as the target: the first behind an increase does, or each. */
export const savesTarget = seam(
  ({ parameters, grown }: LimiterState): boolean => parameters.clampTarget || grown,
);

function count(limiter: LimiterState): void {
  limiter.cuts++;
  limiter.cutAt = limiter.options.clock.now();
}

/** Behind a cut increases begin anew. */
export const beginRecovery = seam((limiter: LimiterState): void => {
  limiter.stages.reset();
  limiter.bytes = 0;
  restartTimer(limiter);
});
