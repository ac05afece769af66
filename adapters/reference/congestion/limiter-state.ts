import type { DcqcnParameters, RateCause } from '../../../spec/congestion.ts';
import type { Clock, Timer } from '../../adapter.ts';
import { seam, type Varied } from '../seam.ts';
import type { Direction } from './direction.ts';
import type { CongestionSettings } from './settings.ts';
import { OneCount, TwoCounts, type StageCount } from './stages.ts';

export interface RateLimiterOptions extends Varied {
  clock: Clock;
  settings: CongestionSettings & { dcqcn: DcqcnParameters };
  /** alpha to begin with, 0..1 */
  alpha: number;
  /** called behind everything that happened to the rate */
  record: (cause: RateCause) => void;
  /** the line rate is reached: nothing is limited any more */
  released: () => void;
}

/** Rate of one QP from its first CNP until it is back at the line rate. Rates are whole bits per second. */
export interface LimiterState extends Varied {
  readonly options: RateLimiterOptions;
  readonly parameters: DcqcnParameters;
  rate: number;
  target: number;
  alpha: number;
  /** when the first CNP came: slots are counted from here */
  readonly origin: number;
  readonly stages: StageCount;
  /** CNPs in the slot of alpha */
  marks: number;
  cutAt: number;
  cuts: number;
  /** the rate has grown since the last cut */
  grown: boolean;
  /** bytes that have left since the last increase by bytes */
  bytes: number;
  /** earliest departure of the next packet */
  readonly next: Record<Direction, number>;
  alphaTimer: Timer | undefined;
  decreaseTimer: Timer | undefined;
  increaseTimer: Timer | undefined;
}

export function makeLimiter(options: RateLimiterOptions): LimiterState {
  const { clock, settings, variant, alpha } = options;
  return {
    variant,
    options,
    parameters: settings.dcqcn,
    rate: settings.lineRate,
    target: settings.lineRate,
    alpha,
    origin: clock.now(),
    stages: stageCount(options),
    marks: 0,
    cutAt: -Infinity,
    cuts: 0,
    grown: true,
    bytes: 0,
    next: { requests: 0, 'read-responses': 0 },
    alphaTimer: undefined,
    decreaseTimer: undefined,
    increaseTimer: undefined,
  };
}

export const stageCount = seam(({ settings }: RateLimiterOptions): StageCount => {
  const { threshold } = settings.dcqcn;
  return settings.increase === 'one-count' ? new OneCount(threshold) : new TwoCounts(threshold);
});

/** No timer of a limiter is left. */
export function stop(limiter: LimiterState): void {
  limiter.alphaTimer?.cancel();
  limiter.decreaseTimer?.cancel();
  limiter.increaseTimer?.cancel();
  limiter.alphaTimer = limiter.decreaseTimer = limiter.increaseTimer = undefined;
}
