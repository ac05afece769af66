import { describe, expect, it } from 'vitest';
import { runExit } from '../../../cli/outcome.ts';
import { loadRules } from '../../../oracle/index.ts';
import type { Rule } from '../../../oracle/index.ts';
import { properties, type Scenario } from '../../../suites/index.ts';
import { divergenceOf, expectedBy, unexpectedPasses } from '../../../suites/known.ts';
import { Tally } from '../../../suites/runner/tally.ts';
import { propertyResult, ruleResult, standingOf, type Evidence } from '../../../suites/runner/verdicts.ts';
import { sampleRun } from '../../report/sample.ts';

const { rules } = loadRules();
const byId = new Map(rules.map((rule) => [rule.id, rule]));
const [property] = properties;
const must = rules.find((rule) => rule.level === 'must' && rule.requires.length === 0);
const should = rules.find((rule) => rule.level === 'should' && rule.requires.length === 0);
const doubt = 'seen, but reproduced only 2 times of 5';

/** What a run knows of a rule that it saw violated once. */
function evidence(rule: Rule, options: { known: boolean; reproduced: boolean }): Evidence {
  const tally = new Tally();
  tally.exercised.set(rule.id, 10);
  tally.violations.set(rule.id, 1);
  if (property === undefined) throw new Error('there are no properties');
  tally.case(property.id);
  tally.rulesByProperty.set(property.id, new Set([rule.id]));
  return {
    tally,
    capabilities: ['rc'],
    known: options.known ? [{ rule: rule.id, reason: 'as documented' }] : [],
    again: new Set(),
    confirmed: new Set(options.reproduced ? [rule.id] : []),
    doubtful: new Map(options.reproduced ? [] : [[rule.id, doubt]]),
    hindrance: () => undefined,
    interrupted: false,
  };
}

describe('a violation that was seen', () => {
  it.each([
    ['is news', false, true, 'fail', undefined, 1],
    ['is news that did not show again', false, false, 'inconclusive', doubt, 2],
    ['is known', true, true, 'fail', undefined, 0],
    ['is known, and did not show again', true, false, 'fail', doubt, 0],
  ] as const)('%s', (_, known, reproduced, verdict, why, exit) => {
    if (must === undefined || property === undefined) throw new Error('nothing to judge');
    const all = evidence(must, { known, reproduced });
    const rule = ruleResult(must, all);
    expect([rule.verdict, rule.why]).toEqual([verdict, why]);
    const result = propertyResult(property, byId, all);
    expect(result.verdict).toBe(verdict);
    const run = sampleRun({ rules: [rule], properties: [result], failures: [] });
    expect(runExit(run, { strict: false, requireCoverage: false })).toBe(exit);
  });

  it('a known one of a SHOULD remains a deviation', () => {
    if (should === undefined) throw new Error('no such rule');
    expect(ruleResult(should, evidence(should, { known: true, reproduced: false })).verdict).toBe(
      'deviation',
    );
  });
});

describe('a known divergence', () => {
  const known = [
    { rule: 'a', signature: 'no event', reason: 'x' },
    { rule: 'b', reason: 'y' },
  ];

  it('stands for the finding that it names, or for all of its rule', () => {
    expect(expectedBy(known, { rule: 'a', signature: 'no event' })?.reason).toBe('x');
    expect(expectedBy(known, { rule: 'a', signature: 'no event, after SQD' })).toBeUndefined();
    expect(expectedBy(known, { rule: 'b', signature: 'anything' })?.reason).toBe('y');
  });

  it('says of a finding what its own entry says', () => {
    const linked = { rule: 'a', reason: 'x', link: 'page#x' };
    expect(divergenceOf(linked)).toEqual({ known: true, divergence: { reason: 'x', link: 'page#x' } });
    expect(divergenceOf({ rule: 'b', reason: 'y' })).toEqual({ known: true, divergence: { reason: 'y' } });
    expect(divergenceOf(undefined)).toEqual({ known: false });
  });

  it('is gone where its own finding did not show, whatever else its rule shows', () => {
    const exercised = new Map([
      ['a', 1],
      ['b', 1],
    ]);
    const other = { rule: 'a', signature: 'no event, after SQD' };
    expect(unexpectedPasses(known, exercised, [other, { rule: 'b', signature: 'x' }])).toEqual([
      'a (no event)',
    ]);
    expect(unexpectedPasses(known, exercised, [{ rule: 'a', signature: 'no event' }])).toEqual(['b']);
  });

  it('stands for a finding whatever software had done with the QP, where it says so', () => {
    const list = [{ rule: 'a', signature: ['no event, *'], reason: 'x' }];
    for (const signature of ['no event', 'no event, after SQD', 'no event, in ERR']) {
      expect(expectedBy(list, { rule: 'a', signature })?.reason).toBe('x');
      expect(unexpectedPasses(list, new Map([['a', 1]]), [{ rule: 'a', signature }])).toEqual([]);
    }
    expect(expectedBy(list, { rule: 'a', signature: 'another event, in ERR' })).toBeUndefined();
  });

  it('may name several findings, and is gone where none of them shows', () => {
    const list = [{ rule: 'a', signature: ['no event', 'no event, in ERR'], reason: 'x' }];
    const [first, other, third] = ['no event', 'no event, in ERR', 'no event, in SQD'].map((signature) => ({
      rule: 'a',
      signature,
    }));
    if (first === undefined || other === undefined || third === undefined) throw new Error('no findings');
    expect(expectedBy(list, other)?.reason).toBe('x');
    expect(expectedBy(list, third)).toBeUndefined();
    expect(unexpectedPasses(list, new Map([['a', 1]]), [other])).toEqual([]);
    expect(unexpectedPasses(list, new Map([['a', 1]]), [third])).toEqual(['a (no event; no event, in ERR)']);
  });
});

describe('findings of one rule', () => {
  it('are kept apart, and one that is new makes the rule news', () => {
    const rule = must;
    if (rule === undefined) throw new Error('no rule');
    const tally = new Tally();
    const violation = { rule: rule.id, event: 0, t: 0, qp: '', expected: 'x', observed: 'y' };
    const rest = { property: 'p', violation, rank: 0, size: 1, others: [] };
    const generated = { scenario: {} as Scenario, simpler: () => [][Symbol.iterator]() };
    for (const signature of ['one', 'two']) tally.see({ rule: rule.id, signature, generated, ...rest });
    expect([...tally.found.keys()]).toEqual([`${rule.id} (one)`, `${rule.id} (two)`]);
    const known = [{ rule: rule.id, signature: 'one', reason: 'as documented' }];
    const keys = new Set(tally.found.keys());
    const told = (list: typeof known, again = keys): unknown =>
      ruleResult(rule, {
        tally,
        capabilities: [],
        known: list,
        ...standingOf(tally, again, new Map()),
        interrupted: false,
        hindrance: () => undefined,
      });
    expect(told(known)).toMatchObject({ verdict: 'fail' });
    expect(told(known)).not.toHaveProperty('known');
    // the other one did not show again
    expect(told(known, new Set([`${rule.id} (one)`]))).toHaveProperty('known');
    const other = { rule: rule.id, signature: 'two', reason: 'z' };
    // the reason of what it showed, wherever that stands in the list
    expect(told([other, ...known])).toHaveProperty('known.reason', 'as documented');
  });

  it('are no more than a few, and the rest is counted', () => {
    const tally = new Tally();
    const violation = { rule: 'r', event: 0, t: 0, qp: '', expected: 'x', observed: 'y' };
    const generated = { scenario: {} as Scenario, simpler: () => [][Symbol.iterator]() };
    const rest = { rule: 'r', property: 'p', violation, generated, rank: 0, size: 1, others: [] };
    for (let i = 0; i < 12; i++) tally.see({ ...rest, signature: `s${i}` });
    expect(tally.found.size).toBe(8);
    expect([...tally.notJudged.values()]).toEqual([4]);
  });
});
