import { describe, expect, it } from 'vitest';
import { loadRules, type Rule } from '../../../oracle/index.ts';
import { properties, type SuiteProperty } from '../../../suites/index.ts';
import { runsOf } from '../../../suites/runner/budget/presets.ts';
import { Rows } from '../../../suites/runner/budget/rows.ts';
import { lag, Spending } from '../../../suites/runner/budget/spending.ts';
import { Turns } from '../../../suites/runner/budget/turns.ts';

const [first] = properties;
if (first === undefined) throw new Error('no properties');
const named = (id: string, aims: string[] = [], share = 1): SuiteProperty => ({ ...first, id, aims, share });
const rules = loadRules().rules;
const ruleNamed = (id: string): Rule => {
  const found = rules.find((rule) => rule.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};
const wanted = ruleNamed('rc-request-ahead');
const common = ruleNamed('rc-msn-counts-messages');

/** How often each of some properties comes, where each case costs as much and exercises what `exercised` says. */
function counts(
  of: readonly SuiteProperty[],
  cases: number,
  exercised: (index: number, begun: number) => string[],
  options: { cost?: (index: number) => number; parallel?: number; last?: (index: number) => boolean } = {},
): number[] {
  const { cost = () => 50, parallel = 1, last = () => false } = options;
  const spending = new Spending(of, [wanted, common]);
  const given = of.map(() => 0);
  const flying: (() => void)[] = [];
  for (let begun = 0; begun < cases; begun++) {
    const index = spending.next();
    if (index === undefined) break;
    given[index] = (given[index] ?? 0) + 1;
    flying.push(() => {
      spending.learn({ index, exercised: exercised(index, begun), cost: cost(index), last: last(index) });
    });
    if (flying.length >= parallel) flying.shift()?.();
  }
  return given;
}

describe('the cases of a run', () => {
  const three = [named('a'), named('b', [wanted.id]), named('c')];

  it('go to what aims at a rule that none has exercised, and the others still have their turn', () => {
    const [a = 0, b = 0, c = 0] = counts(three, 600, () => [common.id]);
    expect(b).toBeGreaterThan(2 * a);
    expect(a).toBeGreaterThan(90);
    expect(Math.abs(a - c)).toBeLessThan(60);
  });

  it('go elsewhere once it was exercised', () => {
    const shown = counts(three, 600, (index) => [common.id, ...(index === 1 ? [wanted.id] : [])]);
    const never = counts(three, 600, () => [common.id]);
    expect(shown[1]).toBeLessThan((never[1] ?? 0) - 50);
  });

  it('go rather where they cost less', () => {
    const both = [named('dear', [wanted.id]), named('cheap', [wanted.id])];
    const [dear = 0, cheap = 0] = counts(both, 600, () => [], { cost: (index) => (index === 0 ? 900 : 20) });
    expect(cheap).toBeGreaterThan(2 * dear);
  });

  it('are the same however many run at a time', () => {
    const exercised = (index: number, begun: number): string[] => (begun % 7 === index ? [wanted.id] : []);
    const alone = counts(three, 500, exercised);
    expect(counts(three, 500, exercised, { parallel: 16 })).toEqual(alone);
    expect(counts(three, 500, exercised, { parallel: lag })).toEqual(alone);
  });

  it('end where no property can be tried any more', () => {
    expect(counts(three, 5000, () => [], { last: () => true }).reduce((a, b) => a + b)).toBeLessThan(300);
  });
});

describe('turns', () => {
  it('are as many as the share of a property, and begin elsewhere in each shard', () => {
    const of = [named('a'), named('b', [], 2), named('c')];
    const drawn = (turns: Turns): (number | undefined)[] => Array.from({ length: 5 }, () => turns.next());
    expect(drawn(new Turns(of))).toEqual([0, 1, 2, 1, 0]);
    expect(drawn(new Turns(of, { i: 2, n: 2 }))).toEqual([2, 1, 0, 1, 2]);
  });
});

describe('a default run', () => {
  it('has as many cases as were asked for, or else as many as fit into the time that was', () => {
    expect(runsOf({}, { clock: 'virtual' })).toBe(4400);
    expect(runsOf({}, { clock: 'real' })).toBe(2500);
    expect(runsOf({ timeLimit: 5 }, { clock: 'virtual' })).toBe(Infinity);
    expect(runsOf({ timeLimit: 5, runs: 7 }, { clock: 'virtual' })).toBe(7);
    expect(runsOf({ timeLimit: 5, preset: 'thorough' }, { clock: 'real' })).toBe(17_000);
  });
});

describe('rows', () => {
  const taken = (chooser: Rows, most: number): (number | undefined)[] =>
    Array.from({ length: most }, () => chooser.next());

  it('give each property its share, some cases in a row', () => {
    const two = [named('more', [], 2), named('less')];
    expect(taken(new Rows(two, 9, 4), 10)).toEqual([0, 0, 0, 0, 1, 1, 1, 0, 0, undefined]);
  });

  it('leave out a property that is not to be tried any more, and end when none is left', () => {
    const chooser = new Rows([named('one'), named('other')], Infinity, 2);
    expect(taken(chooser, 3)).toEqual([0, 0, 1]);
    chooser.learn({ index: 0, exercised: [], cost: 0, last: true });
    expect(taken(chooser, 4)).toEqual([1, 1, 1, 1]);
    chooser.learn({ index: 1, exercised: [], cost: 0, last: true });
    expect(chooser.next()).toBeUndefined();
  });
});
