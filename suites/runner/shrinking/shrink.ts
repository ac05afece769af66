import type { Profile } from '../../../adapters/adapter.ts';
import type { Scenario } from '../../scenario.ts';
import type { Generated } from '../generate.ts';
import type { ShrinkBounds, Shrunk } from './bounds.ts';
import { reductions } from './reduce.ts';
import { shrinkWide } from './wide.ts';

/**
 * A simpler scenario for which `run` still finds the fault, and whether nothing simpler is left to try. One at a time: first along
 * fast-check's shrink tree, then by leaving out whatever can be left out. Several at a time: see `shrinkWide`. The outcome does not
 * depend on which of the candidates that run together ends first. `guesses`: scenarios to begin with, the simplest first.
 */
export async function shrink(
  start: Generated,
  profile: Profile,
  run: (scenario: Scenario) => Promise<boolean>,
  bounds: ShrinkBounds,
  guesses: readonly Scenario[] = [],
): Promise<Shrunk> {
  const budget = { left: bounds.tries };
  const known = new Map<string, boolean>();
  // Different ways come by the same scenarios.
  const fails = async (scenario: Scenario): Promise<boolean> => {
    const key = JSON.stringify(scenario);
    const before = known.get(key);
    if (before !== undefined) return before;
    budget.left--;
    const result = await run(scenario);
    known.set(key, result);
    return result;
  };
  if (bounds.parallel > 1)
    return shrinkWide({ start: start.scenario, guesses, profile }, fails, bounds, budget);
  const tree = await descend<Generated>(
    start,
    (g) => g.simpler(),
    (g) => fails(g.scenario),
    bounds,
    budget,
  );
  budget.left = Math.max(budget.left, Math.ceil(bounds.tries / 2));
  const { best, whole } = await descend<Scenario>(
    tree.best.scenario,
    (s) => reductions(s, profile),
    fails,
    bounds,
    budget,
  );
  return { scenario: best, whole };
}

async function descend<T>(
  start: T,
  simpler: (from: T) => Iterator<T>,
  fails: (candidate: T) => Promise<boolean>,
  bounds: ShrinkBounds,
  budget: { left: number },
): Promise<{ best: T; whole: boolean }> {
  let best = start;
  let candidates = simpler(best);
  while (budget.left > 0 && !bounds.stop()) {
    const next = candidates.next();
    if (next.done === true) return { best, whole: true };
    if (!(await fails(next.value))) continue;
    best = next.value;
    candidates = simpler(best);
  }
  return { best, whole: false };
}
