import { describe, expect, it } from 'vitest';
import { mutants, referenceAdapter } from '../../adapters/reference/index.ts';
import type { MutantId } from '../../adapters/reference/mutants/table.ts';
import { loadRules } from '../../oracle/index.ts';
import { properties } from '../../suites/index.ts';
import { Executor } from '../../suites/runner/executor.ts';
import { schedule } from '../../suites/runner/schedule.ts';
import { brokenRules, notJudged } from './mutants.ts';

const rules = loadRules();
const runs = 2000;
const seed = 1;
const whole = { i: 1, n: 1 };

/** Cases of the default run until one of the rules is found violated; `undefined` if none is within `runs`. */
async function casesUntil(mutant: MutantId, wanted: readonly string[] | 'any'): Promise<number | undefined> {
  const executor = await Executor.open(referenceAdapter({ mutant }), rules, {});
  let cases = 0;
  for (const { generated } of schedule(properties, executor.profile, seed, runs, whole)) {
    cases++;
    const outcome = await executor.run(generated.scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
    const { violations } = outcome.judgement;
    if (violations.some(({ rule }) => wanted === 'any' || wanted.includes(rule))) return cases;
  }
  return undefined;
}

const isJudged = (id: MutantId): id is keyof typeof brokenRules => Object.hasOwn(brokenRules, id);
const judged = mutants.map(({ id }) => id).filter((id) => isJudged(id));
const needed: number[] = [];

describe(`mutants of the reference NIC, within ${runs} cases`, () => {
  it('every one is expected to break rules that exist, or said to be not judged', () => {
    const ids: string[] = mutants.map(({ id }) => id);
    expect(ids.toSorted()).toEqual([...Object.keys(brokenRules), ...Object.keys(notJudged)].toSorted());
    for (const id of Object.values(brokenRules).flat()) {
      expect(rules.rule(id)?.level, id).toBe('must');
    }
  });

  it.each(judged)('%s is caught by the rule that it breaks', async (mutant) => {
    const wanted = brokenRules[mutant];
    const cases = await casesUntil(mutant, wanted);
    expect(cases, `cases until ${wanted.join(' or ')}`).toBeDefined();
    needed.push(cases ?? runs);
  });

  it('half of them need no more than a few hundred cases', () => {
    const sorted = needed.toSorted((a, b) => a - b);
    const median = sorted[sorted.length >> 1] ?? runs;
    console.log(
      `${sorted.length} of ${mutants.length} mutants killed; median ${median} cases, most ${sorted.at(-1)}`,
    );
    expect(sorted).toHaveLength(judged.length);
    expect(median).toBeLessThan(400);
  });

  it.each(mutants.flatMap(({ id }) => (isJudged(id) ? [] : [[id, notJudged[id]] as const])))(
    '%s survives: %s',
    async (mutant) => {
      expect(await casesUntil(mutant, 'any')).toBeUndefined();
    },
  );
});
