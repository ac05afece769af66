import type { Rule, RuleSet } from '../../oracle/rules.ts';
import type { Judgement } from '../../oracle/trace.ts';
import type { CheckResult, CheckViolation } from '../../report/check-results.ts';
import { countVerdicts } from '../../suites/runner/verdicts.ts';
import { ruleResults, tallyOf } from '../rule-results.ts';
import type { Fed } from './feed.ts';

/** Violations of one rule that are kept with their details; all are counted. */
const keptPerRule = 100;

function keptViolations(
  judgement: Judgement,
  rules: ReadonlyMap<string, Rule>,
  numbers: Fed['numbers'],
): CheckViolation[] {
  const kept = new Map<string, number>();
  return judgement.violations.flatMap((violation) => {
    const rule = rules.get(violation.rule);
    const before = kept.get(violation.rule) ?? 0;
    if (rule === undefined || before >= keptPerRule) return [];
    kept.set(violation.rule, before + 1);
    const frame = numbers.frameOf(violation.event);
    return [
      {
        rule: violation.rule,
        level: rule.level,
        says: rule.says,
        statements: [...rule.covers],
        ...(frame === undefined ? {} : { frame }),
        t: violation.t,
        qp: violation.qp,
        expected: violation.expected,
        observed: violation.observed,
      },
    ];
  });
}

/** What a capture's judgement comes to, for the rules that were asked for. */
export function checkResult(input: {
  file: string;
  set: RuleSet;
  rules: readonly Rule[];
  judgement: Judgement;
  fed: Fed;
  durationMs: number;
}): CheckResult {
  const { set, judgement, fed } = input;
  const rules = ruleResults(input.rules, tallyOf(judgement));
  const notJudged = [...judgement.notJudged].map(([what, count]) => ({ what, count }));
  if (fed.backwards > 0) {
    notJudged.push({ what: 'time between frames whose stamps run backwards', count: fed.backwards });
  }
  return {
    schema: 'rdma-conform/check/1',
    file: input.file,
    spec: set.digest,
    durationMs: Math.round(input.durationMs),
    counts: countVerdicts(rules),
    frames: fed.frames,
    packets: fed.packets,
    skipped: fed.skipped.list(),
    rules,
    violations: keptViolations(judgement, new Map(input.rules.map((r) => [r.id, r])), fed.numbers),
    notJudged,
    inconclusive: [...judgement.inconclusive],
    ...(fed.damage === undefined ? {} : { damage: fed.damage }),
    interrupted: fed.interrupted,
    errors: [],
  };
}
