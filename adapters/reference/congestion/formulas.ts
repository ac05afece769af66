import type { DcqcnParameters } from '../../../spec/congestion.ts';
import { seam, type Varied } from '../seam.ts';
import type { Stage } from './stages.ts';

/** Alpha behind a slot in which so many CNPs came. */
export const alphaAfter = seam(
  (_limiter: Varied, alpha: number, cnps: number, g: number): number =>
    (1 - g) * alpha + g * Math.min(cnps, 1),
);

/** Rate behind a cut. */
export const afterCut = seam(
  (limiter: Varied, rate: number, alpha: number, parameters: DcqcnParameters): number =>
    Math.max(parameters.minRate, Math.round(rate * shareLeft(limiter, alpha, parameters))),
);

/** Share of its rate that a cut leaves. */
export const shareLeft = seam(
  (_limiter: Varied, alpha: number, { minDecreaseFactor }: DcqcnParameters): number =>
    Math.max(1 - alpha / 2, minDecreaseFactor),
);

export interface Rates {
  rate: number;
  target: number;
}

/** Rate and target behind an increase event. */
export const stepOf = seam(
  (
    limiter: Varied,
    stage: Stage,
    { rate, target }: Rates,
    parameters: DcqcnParameters,
    lineRate: number,
  ): Rates => {
    const aimed = Math.min(lineRate, target + riseOf(limiter, stage, parameters));
    return { rate: Math.min(lineRate, Math.round((rate + aimed) / 2)), target: aimed };
  },
);

/** By how much an increase event of a stage raises the target. */
export const riseOf = seam((_limiter: Varied, stage: Stage, parameters: DcqcnParameters): number => {
  switch (stage) {
    case 'recovery':
      return 0;
    case 'active':
      return parameters.activeIncrease;
    case 'hyper':
      return parameters.hyperIncrease;
  }
});
