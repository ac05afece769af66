import { describe, expect, it } from 'vitest';
import { mutants } from '../../adapters/reference/index.ts';
import { loadRules } from '../../oracle/index.ts';
import { properties } from '../../suites/index.ts';
import { expectedMutants, families, Hunter } from '../../suites/mutants/index.ts';

const rules = loadRules();
const limit = 5000;
const seed = 1;
const hunter = new Hunter({ rules, properties, limit });

const judged = expectedMutants.filter(({ notJudged }) => notJudged === undefined);
const exempt = expectedMutants.filter(({ notJudged }) => notJudged !== undefined);
const needed: number[] = [];

describe(`mutants of the reference NIC, within ${limit} cases`, () => {
  it('each stands in one family, and breaks rules that exist', () => {
    const ids = Object.values(families).flatMap((family) => Object.keys(family));
    expect(ids.toSorted()).toEqual(mutants.map(({ id }) => id).toSorted());
    for (const id of judged.flatMap((mutant) => mutant.rules)) {
      expect(rules.rule(id)?.level, id).toBe('must');
    }
  });

  it.each(judged)('$id is caught by the rule that it breaks', async ({ id, rules: wanted }) => {
    const hunt = await hunter.hunt(id, seed, wanted);
    expect(hunt.error).toBeUndefined();
    expect(hunt.deaths, `violations of ${wanted.join(' or ')}`).not.toEqual([]);
    needed.push(hunt.cases);
  });

  it('half of them need no more than a few hundred cases', () => {
    const sorted = needed.toSorted((a, b) => a - b);
    const median = sorted[sorted.length >> 1] ?? limit;
    console.log(
      `${sorted.length} of ${mutants.length} mutants killed; median ${median} cases, most ${sorted.at(-1)}`,
    );
    expect(sorted).toHaveLength(judged.length);
    expect(median).toBeLessThan(400);
  });

  it.each(exempt)('$id survives: $notJudged', async ({ id }) => {
    expect(await hunter.hunt(id, seed, [])).toMatchObject({ deaths: [] });
  });
});
