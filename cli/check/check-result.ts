import type { Rule, RuleSet } from '../../oracle/rules.ts';
import type { Judgement } from '../../oracle/trace.ts';
import type { CheckResult, CheckViolation } from '../../report/check-results.ts';
import { count } from '../../report/text.ts';
import { demandOf } from '../../suites/runner/rule-facts.ts';
import { countVerdicts } from '../../suites/runner/verdicts.ts';
import { ruleResults, tallyOf } from '../rule-results.ts';
import { linktypes } from '../../wire/index.ts';
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
        ...demandOf(rule),
        ...(frame === undefined ? {} : { frame }),
        t: violation.t,
        qp: violation.qp,
        expected: violation.expected,
        observed: violation.observed,
      },
    ];
  });
}

/** Why a capture says nothing about any device: no rule decided anything in it. */
function nothingJudged(fed: Fed, judgement: Judgement): string[] {
  if (judgement.exercised.size > 0 || fed.interrupted) return [];
  if (fed.frames === 0) return ['nothing was judged: the capture holds no frame'];
  if (fed.packets > 0)
    return [`nothing was judged: no rule decides about ${count(fed.packets, 'packet')} like these`];
  const names = [...fed.linktypes].map((number) => {
    const known = Object.entries(linktypes).find(([, value]) => value === number);
    return known === undefined ? String(number) : `${number}, ${known[0]}`;
  });
  const where = `link type${names.length === 1 ? '' : 's'} ${names.join('; ')}`;
  return [`nothing was judged: no RoCEv2 packet among ${count(fed.frames, 'frame')} (${where})`];
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
  const connections = fed.connections.result(judgement.violations);
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
    connections,
    rules,
    violations: keptViolations(judgement, new Map(input.rules.map((r) => [r.id, r])), fed.numbers),
    notJudged,
    inconclusive: [
      ...judgement.inconclusive,
      ...nothingJudged(fed, judgement),
      ...(fed.interrupted ? [] : fed.traffic.doubts(judgement.notJudged)),
      // of all ends together the line before says it
      ...(fed.traffic.damaged ? [] : fed.connections.doubts()),
      ...(fed.interrupted ? [] : fed.migrated.doubts()),
      ...fed.reader.doubts(),
      ...fed.skipped.doubts(),
      ...fed.otherDamage,
    ],
    ...(fed.damage === undefined ? {} : { damage: fed.damage }),
    interrupted: fed.interrupted,
    errors: [],
  };
}
