import type { DcqcnParameters } from '../../../spec/congestion.ts';
import type { MutantId } from '../mutant.ts';
import type { Stage } from './stages.ts';

type Fault = MutantId | undefined;

/** Alpha behind a slot in which so many CNPs came. */
export function alphaAfter(alpha: number, cnps: number, g: number, fault: Fault): number {
  const weight = fault === 'alpha-weight-swapped' ? 1 - g : g;
  if (fault === 'alpha-never-decays' && cnps === 0) return alpha;
  if (fault === 'alpha-grows-beyond-one' && cnps > 0) return alpha + weight;
  const marked = fault === 'alpha-counts-cnps' ? cnps : Math.min(cnps, 1);
  return (1 - weight) * alpha + weight * marked;
}

/** Rate behind a cut. */
export function afterCut(
  rate: number,
  alpha: number,
  { minDecreaseFactor, minRate }: DcqcnParameters,
  fault: Fault,
): number {
  if (fault === 'cut-raises-rate') return Math.round(rate * (1 + alpha / 2));
  const share =
    fault === 'cut-by-whole-alpha' ? 1 - alpha : fault === 'cut-always-half' ? 0.5 : 1 - alpha / 2;
  const bounded =
    fault === 'cut-unbounded' || fault === 'cut-by-whole-alpha' ? share : Math.max(share, minDecreaseFactor);
  const least = fault === 'min-rate-undercut' ? 1 : minRate;
  return Math.max(least, Math.round(rate * bounded));
}

interface Rates {
  rate: number;
  target: number;
}

/** Rate and target behind an increase event. */
export function stepOf(
  stage: Stage,
  { rate, target }: Rates,
  { activeIncrease, hyperIncrease }: DcqcnParameters,
  lineRate: number,
  fault: Fault,
): Rates {
  const most = fault === 'rate-beyond-line' ? 2 * lineRate : lineRate;
  const aimed = Math.min(most, target + riseOf(stage, activeIncrease, hyperIncrease, fault));
  if (fault === 'increase-jumps-to-target') return { rate: aimed, target: aimed };
  return { rate: Math.min(most, Math.round((rate + aimed) / 2)), target: aimed };
}

function riseOf(stage: Stage, active: number, hyper: number, fault: Fault): number {
  switch (stage) {
    case 'recovery':
      return fault === 'recovery-raises-target' ? active : 0;
    case 'active':
      if (fault === 'recovery-endless') return 0;
      return fault === 'active-step-doubled' ? 2 * active : active;
    case 'hyper':
      if (fault === 'recovery-endless') return 0;
      return fault === 'hyper-never' ? active : fault === 'hyper-step-and-a-half' ? 1.5 * hyper : hyper;
  }
}
