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
  /** what the device died of before, as `part=value`, which grows: not tried again */
  lethal?: Set<string>;
}

/** Whether a rule is still broken; `died`: the device died of something else; `undefined`: not known. */
export type Effect = boolean | 'died' | undefined;

/** A part of a step, whatever its place, and its value; what is to be another operation is the same from then on, whatever it was. */
function lethalName(what: string, value: string): string {
  const part = what.endsWith(': operation') ? 'operation' : what.replace(/^(step|fault) \d+/, '$1');
  return `${part}=${value}`;
}

/**
 * What matters in a shrunk scenario: each part of it in turn is made another, and `breaks` says what that comes to. Parts that could not be
 * varied are left out.
 */
export async function influencesOf(
  scenario: Scenario,
  profile: Profile,
  breaks: (scenario: Scenario) => Promise<Effect>,
  { tries, parallel, sure = 1, stop, lethal = new Set() }: InfluenceBounds,
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
    const name = lethalName(trial.influence.what, trial.value);
    if (stop()) return undefined;
    // what luck has a part in is broken in one run, and kept in the next: what was begun is tried often enough, or nothing comes of it
    for (let again = 1; ; again++) {
      const broken = lethal.has(name) ? undefined : await breaks(trial.scenario);
      if (broken === 'died') {
        lethal.add(name);
        return undefined;
      }
      if (broken !== false || again >= sure) return broken;
    }
  });
  for (const [i, { influence, value }] of trials.entries()) {
    const broken = results[i];
    if (broken !== undefined) (broken ? influence.broken : influence.kept).push(value);
  }
  return found.filter(({ broken, kept }) => broken.length + kept.length > 0);
}
