import { seam } from '../seam.ts';
import { stepOf } from './formulas.ts';
import { stop, type LimiterState } from './limiter-state.ts';
import { change } from './wait.ts';

/** An increase event: a span of time, or of bytes, without a cut. */
export function increase(limiter: LimiterState, kind: 'timer' | 'bytes'): void {
  const { settings, record, released } = limiter.options;
  const oneCount = settings.increase === 'one-count';
  const stage = limiter.stages.next(kind);
  const { rate, target } = stepOf(limiter, stage, limiter, limiter.parameters, settings.lineRate);
  change(limiter, rate);
  limiter.target = target;
  limiter.grown = true;
  if (kind === 'bytes' || oneCount) limiter.bytes = 0;
  if (kind === 'timer' || oneCount) restartTimer(limiter);
  record(kind);
  if (limiter.rate < settings.lineRate || limiter.decreaseTimer !== undefined) return;
  stop(limiter);
  released();
}

export const restartTimer = seam((limiter: LimiterState): void => {
  limiter.increaseTimer?.cancel();
  limiter.increaseTimer = limiter.options.clock.setTimer(increaseSpan(limiter), () => {
    increase(limiter, 'timer');
  });
});

/** Nanoseconds without a cut that make an increase event. */
export const increaseSpan = seam(({ parameters }: LimiterState): number => parameters.timer);
