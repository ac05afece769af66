import type { RunResult } from '../../report/results.ts';

/** What a test leaves in `task.meta.rdmaConform`, for reporters, blobs and merged reports. Plain data. */
export interface ConformanceMeta {
  property: string;
  device: string;
  seed: number;
  cases: number;
  packets: number;
  /** by rule: times it decided something */
  exercised: Record<string, number>;
  /** by rule: times it was broken, known divergences included */
  violations: Record<string, number>;
}

declare module 'vitest' {
  interface TaskMeta {
    rdmaConform?: ConformanceMeta;
  }
}

/** The counts of one property's run. */
export function metaOf(property: string, result: RunResult): ConformanceMeta {
  const { adapter, seed, cases, packets, rules } = result;
  const counts = (of: 'exercised' | 'violations'): Record<string, number> =>
    Object.fromEntries(rules.filter((rule) => rule[of] > 0).map((rule) => [rule.id, rule[of]]));
  return {
    property,
    device: adapter.name,
    seed,
    cases,
    packets,
    exercised: counts('exercised'),
    violations: counts('violations'),
  };
}
