import { causesOf } from '../../../report/causes/causes.ts';
import type { Failure, Influence, RuleResult, RunResult } from '../../../report/results.ts';
import { sampleFailure, sampleRule, sampleRun } from '../sample.ts';

export const impacts = ['security', 'wrong-data', 'hang', 'qp-loss', 'wrong-report'].map((id) => ({
  id,
  says: `${id}.`,
}));

/** What a finding is about, as far as causes look at it. */
export interface Part {
  rule: string;
  signature?: string;
  expected?: string;
  observed?: string;
  impact?: string;
  before?: string[];
  /** what its exchange breaks later */
  beside?: string[];
  /** how often its rule was broken */
  times?: number;
  /** how often its case arose, where it was not broken each time */
  exercised?: number;
  machine?: string;
  table?: string;
  influences?: Influence[];
  known?: RuleResult['known'];
}

/** A run with these findings. */
export function runOf(parts: readonly Part[]): RunResult {
  const failures = parts.map((part): Failure => {
    const {
      rule,
      signature = 's',
      before = [],
      beside = [],
      expected,
      observed = rule,
      influences,
      known,
    } = part;
    const also = [
      ...before.map((other) => ({ rule: other, signature: 's', before: true })),
      ...beside.map((other) => ({ rule: other, signature: 's', before: false })),
    ];
    return {
      ...sampleFailure,
      observed,
      ...(expected !== undefined && { expected }),
      ...(influences !== undefined && { influences }),
      rule,
      signature,
      also,
      known: known !== undefined,
      ...(known !== undefined && { divergence: known }),
    };
  });
  const rules = parts.map((part) => {
    const { rule: id, impact = 'wrong-report', machine, table, known, times = 1, exercised = times } = part;
    return sampleRule({
      id,
      verdict: 'fail',
      violations: times,
      exercised,
      ...(table !== undefined && { table }),
      impact,
      ...(table !== undefined && { table }),
      ...(machine !== undefined && { location: { file: `spec/machines/${machine}/x.yaml`, line: 1 } }),
      ...(known !== undefined && { known }),
    });
  });
  return sampleRun({ rules, failures, impacts });
}

/** Rules of each cause: what shows it, and behind ">" what follows. */
export function grouped(parts: readonly Part[]): string[] {
  return causesOf(runOf(parts)).map(({ findings, consequences }) => {
    const names = (list: readonly Failure[]): string => list.map(({ rule }) => rule).join(' ');
    return [names(findings), ...(consequences.length > 0 ? [names(consequences)] : [])].join(' > ');
  });
}
