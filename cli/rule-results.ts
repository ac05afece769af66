import type { Rule } from '../oracle/rules.ts';
import type { Judgement } from '../oracle/trace.ts';
import { choicesOf } from '../suites/runner/choices.ts';
import { ruleFacts } from '../suites/runner/rule-facts.ts';
import type { RuleResult, Verdict } from '../report/results.ts';

/** Counts of a judgement, per rule. */
export interface RuleTally {
  exercised: ReadonlyMap<string, number>;
  observed: Judgement['observed'];
  violations: ReadonlyMap<string, number>;
}

export function tallyOf(judgement: Judgement): RuleTally {
  const violations = new Map<string, number>();
  for (const { rule } of judgement.violations) violations.set(rule, (violations.get(rule) ?? 0) + 1);
  return { exercised: judgement.exercised, observed: judgement.observed, violations };
}

function verdictOf(rule: Rule, exercised: number, violations: number): Verdict {
  if (violations > 0)
    return rule.level === 'must' ? 'fail' : rule.level === 'should' ? 'deviation' : 'observed';
  if (exercised === 0) return 'vacuous';
  return rule.level === 'may' ? 'observed' : 'pass';
}

/** A line per rule: its text, how often it decided and what came of it. */
export function ruleResults(rules: readonly Rule[], tally: RuleTally): RuleResult[] {
  return rules.map((rule) => {
    const exercised = tally.exercised.get(rule.id) ?? 0;
    const violations = tally.violations.get(rule.id) ?? 0;
    const verdict = verdictOf(rule, exercised, violations);
    return {
      ...ruleFacts(rule),
      verdict,
      exercised,
      violations,
      ...choicesOf(tally.observed.get(rule.id)),
      ...(verdict === 'vacuous' ? { why: 'its case never arose' } : {}),
    };
  });
}
