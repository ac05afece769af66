import type { RuleSet } from '../oracle/index.ts';
import { findingName, type Failure, type RunResult } from '../report/results.ts';
import { encodeToken, type ReplayResult } from '../suites/index.ts';
import { impacts } from '../spec/impacts.ts';
import { demandOf } from '../suites/runner/rule-facts.ts';
import { countVerdicts } from '../suites/runner/verdicts.ts';
import { ruleResults, tallyOf } from './rule-results.ts';

/** What one replayed case comes to, in the form of a run: the rules it exercised, and a failure for each finding: a rule that it broke, and the signature. */
export function replayResults(input: {
  replayed: ReplayResult;
  rules: RuleSet;
  adapter: { name: string; profile: unknown };
  durationMs: number;
  /** the case file that was given */
  file?: string | undefined;
}): RunResult {
  const { replayed, rules: set, adapter, file } = input;
  const { judgement, case: found } = replayed;
  const rules = ruleResults(set.rules, tallyOf(judgement)).filter(
    (rule) => rule.exercised > 0 || rule.violations > 0,
  );
  const seen = new Set<string>();
  const failures = judgement.violations.flatMap((violation, at): Failure[] => {
    const rule = set.rule(violation.rule);
    const [signature, ladder] = [replayed.signatures[at], replayed.ladders[at]];
    if (rule === undefined || signature === undefined || ladder === undefined) return [];
    const finding = findingName({ rule: rule.id, signature });
    if (seen.has(finding)) return [];
    seen.add(finding);
    return [
      {
        ...demandOf(rule),
        signature,
        property: found.property,
        expected: violation.expected,
        observed: violation.observed,
        reproduced: { times: 1, of: 1 },
        known: false,
        token: encodeToken({ ...found, rule: rule.id, signature }),
        scenario: found.scenario,
        ladder,
        ...(file !== undefined && { caseFile: file }),
      },
    ];
  });
  return {
    schema: 'rdma-conform/results/1',
    adapter,
    seed: 0,
    spec: set.digest,
    durationMs: Math.round(input.durationMs),
    counts: countVerdicts(rules),
    cases: 1,
    packets: judgement.packets,
    rules,
    properties: [],
    failures,
    impacts: Object.entries(impacts).map(([id, says]) => ({ id, says })),
    unexpectedPasses: [],
    notJudged: [...judgement.notJudged].map(([what, count]) => ({ what, count })),
    interrupted: false,
    errors: [],
  };
}
