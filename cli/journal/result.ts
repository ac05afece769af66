import type { RuleSet } from '../../oracle/index.ts';
import { missingParts, type Failure, type RunResult } from '../../report/results.ts';
import { properties, unexpectedPasses, type SuiteProperty } from '../../suites/index.ts';
import { impacts } from '../../spec/impacts.ts';
import { asSeen } from '../../suites/runner/evidence.ts';
import { abilities } from '../../suites/runner/select.ts';
import { findingKey } from '../../suites/runner/signature.ts';
import type { Found } from '../../suites/runner/tally.ts';
import {
  countVerdicts,
  endedByDevice,
  isCounted,
  notJudgedOf,
  propertyResult,
  ruleResult,
  standingOf,
  type Evidence,
} from '../../suites/runner/verdicts.ts';
import type { BeginLine } from './lines.ts';
import type { JournalState } from './state.ts';

const unconfirmed = 'seen, but the run was cut off before it could be seen again';

/** What a run that was cut off had found: as if it had been interrupted with its last line. */
export function resultOf(state: JournalState, begin: BeginLine, rules: RuleSet): RunResult {
  const { tally, failures, doubts } = state;
  const { known, shard } = begin;
  const shards = shard === undefined ? undefined : { of: shard.n, have: [shard.i] };
  const selected = new Set(begin.rules);
  const confirmed = new Set(failures.map(({ rule, signature = '' }) => findingKey({ rule, signature })));
  const pending = [...tally.found].filter(([key]) => !confirmed.has(key) && !doubts.has(key));
  const doubtful = new Map([
    ...[...doubts].map(([key, { why }]) => [key, why] as const),
    ...pending.map(([key]) => [key, unconfirmed] as const),
  ]);
  const whyNot = new Map(begin.properties.map(({ id, why }) => [id, why]));
  const evidence: Evidence = {
    tally,
    capabilities: abilities(begin.profile),
    known,
    ...standingOf(tally, confirmed, doubtful),
    interrupted: true,
    hindrance: ({ id }) => whyNot.get(id),
  };
  const tried = begin.properties.flatMap(({ id }): SuiteProperty[] => {
    const found = properties.find((property) => property.id === id);
    return found === undefined ? [] : [found];
  });
  const elsewhere = new Set(begin.elsewhere);
  const lines = rules.rules
    .filter((rule) => selected.has(rule.id) && isCounted(rule, tally, elsewhere))
    .map((rule) => ruleResult(rule, evidence));
  const byId = new Map(rules.rules.map((rule) => [rule.id, rule]));
  const shown = (found: Found): Failure[] => {
    const rule = byId.get(found.rule);
    return rule === undefined ? [] : [asSeen(found, rule, begin)];
  };
  return {
    schema: 'rdma-conform/results/1',
    adapter: { name: begin.adapter, profile: begin.profile },
    seed: begin.seed,
    spec: begin.spec,
    begun: begin.begun,
    ...(begin.command !== undefined && { command: begin.command }),
    durationMs: state.elapsed,
    counts: countVerdicts(lines),
    cases: tally.cases,
    packets: tally.packets,
    rules: lines,
    properties: tried.map((property) => propertyResult(property, byId, evidence)),
    failures: [...failures, ...pending.flatMap(([, found]) => shown(found))],
    impacts: Object.entries(impacts).map(([id, says]) => ({ id, says })),
    unexpectedPasses: unexpectedPasses(
      known.filter(({ rule }) => selected.has(rule)),
      tally.exercised,
      [...tally.found.values()],
    ),
    notJudged: notJudgedOf(tally, confirmed, doubtful),
    ...endedByDevice(tally),
    interrupted: true,
    ...(shards !== undefined && { shards }),
    partial: [...(shards === undefined ? [] : missingParts(shards)), 'cut off'],
    errors: [...tally.errorsByProperty].flatMap(([id, messages]) => messages.map((m) => `${id}: ${m}`)),
  };
}
