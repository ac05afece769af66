import type { RuleSet } from '../../oracle/index.ts';
import { missingParts, type Failure, type RunResult } from '../../report/results.ts';
import { encodeToken, properties, unexpectedPasses, type SuiteProperty } from '../../suites/index.ts';
import { countVerdicts, propertyResult, ruleResult, type Evidence } from '../../suites/runner/verdicts.ts';
import type { BeginLine } from './lines.ts';
import type { JournalState } from './state.ts';

const unconfirmed = 'seen, but the run was cut off before it could be seen again';

/** What a run that was cut off had found: as if it had been interrupted with its last line. */
export function resultOf(state: JournalState, begin: BeginLine, rules: RuleSet): RunResult {
  const { tally, failures, doubts } = state;
  const { known, shard } = begin;
  const shards = shard === undefined ? undefined : { of: shard.n, have: [shard.i] };
  const selected = new Set(begin.rules);
  const confirmed = new Set(failures.map(({ rule }) => rule));
  const pending = [...tally.found.keys()].filter((rule) => !confirmed.has(rule) && !doubts.has(rule));
  const whyNot = new Map(begin.properties.map(({ id, why }) => [id, why]));
  const { capabilities, minTimeout = 1 } = begin.profile;
  const evidence: Evidence = {
    tally,
    capabilities: [...capabilities, ...(minTimeout > 1 ? (['min-timeout'] as const) : [])],
    known,
    confirmed,
    doubtful: new Map([...doubts, ...pending.map((rule) => [rule, unconfirmed] as const)]),
    interrupted: true,
    hindrance: ({ id }) => whyNot.get(id),
  };
  const tried = begin.properties.flatMap(({ id }): SuiteProperty[] => {
    const found = properties.find((property) => property.id === id);
    return found === undefined ? [] : [found];
  });
  const lines = rules.rules.filter(({ id }) => selected.has(id)).map((rule) => ruleResult(rule, evidence));
  const byId = new Map(rules.rules.map((rule) => [rule.id, rule]));
  return {
    schema: 'rdma-conform/results/1',
    adapter: { name: begin.adapter, profile: begin.profile },
    seed: begin.seed,
    spec: begin.spec,
    durationMs: state.elapsed,
    counts: countVerdicts(lines),
    cases: tally.cases,
    packets: tally.packets,
    rules: lines,
    properties: tried.map((property) => propertyResult(property, byId, evidence)),
    failures: [...failures, ...pending.flatMap((rule) => asSeen(rule, state, begin, rules))],
    unexpectedPasses: unexpectedPasses(
      known.filter(({ rule }) => selected.has(rule)),
      tally.exercised,
      new Set(tally.found.keys()),
    ),
    notJudged: [...tally.notJudged, ...tally.inconclusive].map(([what, count]) => ({ what, count })),
    interrupted: true,
    ...(shards !== undefined && { shards }),
    partial: [...(shards === undefined ? [] : missingParts(shards)), 'cut off'],
    errors: [...tally.errorsByProperty].flatMap(([id, messages]) => messages.map((m) => `${id}: ${m}`)),
  };
}

/** A violation as its case showed it, neither shrunk nor seen again. */
function asSeen(id: string, state: JournalState, begin: BeginLine, rules: RuleSet): Failure[] {
  const found = state.tally.found.get(id);
  const rule = rules.rule(id);
  if (found === undefined || rule === undefined) return [];
  const { property, violation, generated } = found;
  const { expected, observed } = violation;
  const { scenario } = generated;
  return [
    {
      rule: id,
      property,
      level: rule.level,
      says: rule.says,
      statements: [...rule.covers],
      expected,
      observed,
      reproduced: { times: 1, of: 1 },
      known: begin.known.some((entry) => entry.rule === id),
      token: encodeToken({ rule: id, property, adapter: begin.adapter, scenario }),
      scenario,
      ladder: state.ladderOf(scenario),
    },
  ];
}
