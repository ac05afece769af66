import type { Rule, RuleSet } from '../../oracle/index.ts';
import { missingParts, type RunResult } from '../../report/results.ts';
import { impacts } from '../../spec/impacts.ts';
import { unexpectedPasses, type KnownDivergence } from '../known.ts';
import type { SuiteProperty } from '../property.ts';
import type { CaseRunner } from './devices/case-runner.ts';
import type { Ending } from './ending.ts';
import { hindrance } from './hindrance.ts';
import type { RunOptions } from './options.ts';
import { abilities } from './select.ts';
import type { Sightings } from './sightings.ts';
import {
  countVerdicts,
  endedByDevice,
  notJudgedOf,
  propertyResult,
  ruleResult,
  type Evidence,
} from './verdicts.ts';

/** What the result of a run is made of. */
export interface Conclusion {
  options: RunOptions;
  executor: CaseRunner;
  ruleSet: RuleSet;
  /** rules that count in the end */
  counting: readonly Rule[];
  /** ids of the rules that were selected */
  counted: ReadonlySet<string>;
  properties: readonly SuiteProperty[];
  known: readonly KnownDivergence[];
  sightings: Sightings;
  ending: Ending;
  /** cases that were to be run */
  runs: number;
  /** what the device broke of while findings were run again */
  brokenSince: string | undefined;
}

/** The result of a run, as far as it came. */
export function conclude(run: Conclusion): RunResult {
  const { options, executor, ruleSet, properties, known, sightings, ending } = run;
  const { profile } = executor;
  const { tally } = sightings;
  const { i = 1, n = 1 } = options.shard ?? {};
  const shards = { of: n, have: [i] };
  const partial = partialReasons(run, shards);
  const evidence: Evidence = {
    tally,
    capabilities: abilities(profile),
    known,
    ...sightings.standing,
    interrupted: ending.aborted,
    late: ending.late,
    hindrance: (property) => hindrance(property, profile),
  };
  const rules = run.counting.map((rule) => ruleResult(rule, evidence));
  const byId = new Map(ruleSet.rules.map((rule) => [rule.id, rule]));
  const expected = known.filter((entry) => run.counted.has(entry.rule));
  return {
    schema: 'rdma-conform/results/1',
    adapter: { name: options.adapter.name, profile },
    seed: options.seed ?? 1,
    spec: ruleSet.digest,
    durationMs: Math.round(ending.elapsed),
    counts: countVerdicts(rules),
    cases: tally.cases,
    packets: tally.packets,
    rules,
    properties: properties.map((property) => propertyResult(property, byId, evidence)),
    failures: [...sightings.failures, ...sightings.unconfirmed(ruleSet)],
    impacts: Object.entries(impacts).map(([id, says]) => ({ id, says })),
    unexpectedPasses: unexpectedPasses(expected, tally.exercised, [...tally.found.values()]),
    notJudged: notJudgedOf(tally, sightings.confirmed, sightings.doubts),
    ...endedByDevice(tally),
    interrupted: ending.aborted,
    ...(shards.of > 1 && { shards }),
    ...(partial.length > 0 && { partial }),
    errors: [...sightings.errors(executor, run.brokenSince), ...hangs(ending)],
  };
}

/** A device that has not come back although nobody had asked for the end. */
function hangs({ hung, aborted }: Ending): string[] {
  return hung && !aborted ? ['the device hangs: a case was not over long after the time limit'] : [];
}

/** Why this is not all of what was to be run. */
function partialReasons(run: Conclusion, shards: { of: number; have: number[] }): string[] {
  const { ending, runs } = run;
  return [
    ...missingParts(shards),
    ...(ending.aborted ? ['interrupted'] : []),
    ...(ending.late && runs !== Infinity ? ['the time limit was reached'] : []),
    ...(ending.stopped ? ['stopped early'] : []),
    ...(ending.early ? unreached(run) : []),
  ];
}

/** How many of the properties that the device can be tried with have not had their turn. */
function unreached({ properties, executor, sightings }: Conclusion): string[] {
  const able = properties.filter((p) => hindrance(p, executor.profile) === undefined);
  const left = able.filter(({ id }) => !sightings.tally.casesByProperty.has(id)).length;
  return left === 0 ? [] : [`${left} of ${able.length} properties not run`];
}
