import type { CheckResult } from '../check-results.ts';
import { causesOf } from '../causes/causes.ts';
import { causeResult, plainData } from './json.ts';
import type { ReportContext } from '../reporter.ts';
import type { RunResult } from '../results.ts';

/** Lines of JSON, each with a `type`; `spec/schema/lines.schema.json` has their shapes. */
function lines(items: readonly object[]): string {
  return items.map((item) => `${JSON.stringify(item, plainData)}\n`).join('');
}

const as =
  (type: string) =>
  <T extends object>(item: T): { type: string } & T => ({ type, ...item });

/** The results, an object a line: `run`, then each `rule`, `property`, `failure`, `cause` and what was `not-judged`, then `end`. */
export function ndjsonRun(result: RunResult, { version }: ReportContext): string {
  const { adapter, seed, spec, begun, command, shards } = result;
  const {
    counts,
    cases,
    packets,
    durationMs,
    unexpectedPasses,
    partial,
    endedByDevice,
    interrupted,
    errors,
  } = result;
  return lines([
    {
      type: 'run',
      schema: 'rdma-conform/lines/1',
      version,
      adapter,
      seed,
      spec,
      ...(begun !== undefined && { begun }),
      ...(command !== undefined && { command }),
      ...(shards && { shards }),
    },
    ...result.rules.map(as('rule')),
    ...result.properties.map(as('property')),
    ...result.failures.map(as('failure')),
    ...causesOf(result).map(causeResult).map(as('cause')),
    ...result.notJudged.map(as('not-judged')),
    {
      type: 'end',
      counts,
      cases,
      packets,
      durationMs,
      unexpectedPasses,
      ...(partial && { partial }),
      ...(endedByDevice !== undefined && { endedByDevice }),
      interrupted,
      errors,
    },
  ]);
}

/** Of a capture: `check`, then each `rule`, `violation`, kind of `skipped` frames and what was `not-judged`, then `end`. */
export function ndjsonCheck(result: CheckResult, { version }: ReportContext): string {
  const { file, spec, counts, frames, packets, durationMs, inconclusive, damage, interrupted, errors } =
    result;
  return lines([
    { type: 'check', schema: 'rdma-conform/lines/1', version, file, spec },
    ...result.rules.map(as('rule')),
    ...result.violations.map(as('violation')),
    ...result.skipped.map(as('skipped')),
    ...result.notJudged.map(as('not-judged')),
    {
      type: 'end',
      counts,
      frames,
      packets,
      durationMs,
      inconclusive,
      ...(damage && { damage }),
      interrupted,
      errors,
    },
  ]);
}
