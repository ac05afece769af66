import type { Profile } from '../../adapters/adapter.ts';
import type { Influence } from '../../report/results.ts';
import type { Scenario } from '../scenario.ts';
import { several } from './several.ts';
import { variations } from './vary/variations.ts';

export interface InfluenceBounds {
  /** scenarios tried at most */
  tries: number;
  /** scenarios tried at a time */
  parallel: number;
  /** tries in a row that a part has to show no violation in before it counts as one that matters; default 1 */
  sure?: number;
  /** true once no more should be tried */
  stop: () => boolean;
}

/**
 * What matters in a shrunk scenario: each part of it in turn is made another, and `breaks` says whether the rule is still
 * broken; `undefined` where that is unknown. Parts that could not be varied are left out.
 */
export async function influencesOf(
  scenario: Scenario,
  profile: Profile,
  breaks: (scenario: Scenario) => Promise<boolean | undefined>,
  { tries, parallel, sure = 1, stop }: InfluenceBounds,
): Promise<Influence[]> {
  const found: Influence[] = [];
  const trials: { influence: Influence; value: string; scenario: Scenario }[] = [];
  for (const { what, is, options } of variations(scenario, profile)) {
    if (trials.length + options.length > tries) break;
    const influence: Influence = { what, is, broken: [], kept: [] };
    found.push(influence);
    for (const option of options) trials.push({ influence, ...option });
  }
  const results = await several(trials, parallel, async (trial) => {
    // what luck has a part in is broken in one run, and kept in the next
    for (let again = 1; ; again++) {
      const broken = stop() ? undefined : await breaks(trial.scenario);
      if (broken !== false || again >= sure) return broken;
    }
  });
  for (const [i, { influence, value }] of trials.entries()) {
    const broken = results[i];
    if (broken !== undefined) (broken ? influence.broken : influence.kept).push(value);
  }
  return found.filter(({ broken, kept }) => broken.length + kept.length > 0);
}
