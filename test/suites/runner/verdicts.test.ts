import { describe, expect, it } from 'vitest';
import { runExit } from '../../../cli/outcome.ts';
import { loadRules } from '../../../oracle/index.ts';
import type { Rule } from '../../../oracle/index.ts';
import { properties } from '../../../suites/index.ts';
import { Tally } from '../../../suites/runner/tally.ts';
import { propertyResult, ruleResult, type Evidence } from '../../../suites/runner/verdicts.ts';
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
