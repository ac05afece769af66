import { profileVersion } from './profile-version.ts';
import { findingName, missingParts } from './results.ts';
import type { Failure, PropertyResult, RuleResult, RunResult, Verdict } from './results.ts';

/** Results that are no parts of one campaign. */
export class MergeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MergeError';
  }
}

/** Of two verdicts on one thing by different parts of a campaign, the one that stands: what was seen, over what was not. */
const standing: readonly Verdict[] = [
  'error',
  'fail',
  'deviation',
  'inconclusive',
  'observed',
  'pass',
  'vacuous',
  'unsupported',
];

function stronger(a: Verdict, b: Verdict): Verdict {
  return standing.indexOf(a) <= standing.indexOf(b) ? a : b;
}

function sumChoices(a: RuleResult['choices'], b: RuleResult['choices']): Pick<RuleResult, 'choices'> {
  const counts = new Map<string, number>();
  for (const { what, count } of [...(a ?? []), ...(b ?? [])]) {
    counts.set(what, (counts.get(what) ?? 0) + count);
  }
  if (counts.size === 0) return {};
  const choices = [...counts].map(([what, count]) => ({ what, count }));
  return { choices: choices.toSorted((x, y) => y.count - x.count || (x.what < y.what ? -1 : 1)) };
}

function mergeRules(a: RuleResult, b: RuleResult): RuleResult {
  const verdict = stronger(a.verdict, b.verdict);
  const { why: _, choices: __, ...rest } = { ...b, ...a };
  const why = verdict === a.verdict ? (a.why ?? (verdict === b.verdict ? b.why : undefined)) : b.why;
  return {
    ...rest,
    verdict,
    exercised: a.exercised + b.exercised,
    violations: a.violations + b.violations,
    ...sumChoices(a.choices, b.choices),
    ...(why !== undefined && { why }),
  };
}

function mergeProperties(a: PropertyResult, b: PropertyResult): PropertyResult {
  const verdict = stronger(a.verdict, b.verdict);
  const { known: _, ...rest } = { ...b, ...a };
  const broken = [a, b].filter((p) => p.verdict === 'fail' || p.verdict === 'deviation');
  return {
    ...rest,
    verdict,
    cases: a.cases + b.cases,
    ...(broken.length > 0 && broken.every(({ known }) => known === true) && { known: true as const }),
  };
}

function byId<T extends { id: string }>(lists: readonly (readonly T[])[], merge: (a: T, b: T) => T): T[] {
  const merged = new Map<string, T>();
  for (const item of lists.flat()) {
    const before = merged.get(item.id);
    merged.set(item.id, before === undefined ? item : merge(before, item));
  }
  return [...merged.values()];
}

/** Of several failures with one signature, the one that says it most briefly. */
function mergeFailures(failures: readonly Failure[]): Failure[] {
  const best = new Map<string, Failure>();
  const size = (failure: Failure): number => JSON.stringify(failure.scenario).length;
  for (const failure of failures) {
    const key = findingName(failure);
    const before = best.get(key);
    if (before === undefined || size(failure) < size(before)) best.set(key, failure);
  }
  return [...best.values()];
}

function sumCounts(items: readonly { what: string; count: number }[]): { what: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { what, count } of items) counts.set(what, (counts.get(what) ?? 0) + count);
  return [...counts].map(([what, count]) => ({ what, count }));
}

function same(parts: readonly RunResult[], what: string, of: (part: RunResult) => unknown): void {
  const values = [...new Set(parts.map((part) => JSON.stringify(of(part))))];
  if (values.length > 1) {
    throw new MergeError(`these are no parts of one campaign: ${what} differs (${values.join(', ')})`);
  }
}

/** Which parts of how many there are; throws MergeError where one is there twice. */
function mergeShards(parts: readonly RunResult[]): { of: number; have: number[] } {
  const of = parts[0]?.shards?.of ?? 1;
  if (of === 1 && parts.length > 1)
    throw new MergeError(
      'these are whole runs, no parts of one (run --shard i/n); "matrix" and "diff" put them beside each other',
    );
  const have = parts.flatMap(({ shards }) => shards?.have ?? [1]);
  const twice = have.find((i, at) => have.indexOf(i) !== at);
  if (twice !== undefined) throw new MergeError(`part ${twice} of ${of} is there twice`);
  return { of, have: have.toSorted((a, b) => a - b) };
}

/**
 * The results of the parts of one campaign (`run --shard i/n`) as those of the whole. Counts add up; of verdicts the gravest
 * that was seen stands. What is missing or was cut short is said in `partial`. Throws MergeError for results that do not
 * belong together.
 */
export function mergeRuns(parts: readonly RunResult[]): RunResult {
  const [first] = parts;
  if (first === undefined) throw new MergeError('there is nothing to merge');
  same(parts, 'the device', ({ adapter }) => adapter.name);
  same(parts, 'the version of the device', ({ adapter }) => profileVersion(adapter.profile));
  same(parts, 'the seed', ({ seed }) => seed);
  same(parts, 'the version of the rules', ({ spec }) => spec);
  same(parts, 'the number of parts', ({ shards }) => shards?.of ?? 1);
  const shards = mergeShards(parts);
  // what a part said of its being one part only is over; what cut it short is not
  const cut = parts.flatMap(({ partial = [], shards: own }) =>
    partial.filter((why) => own === undefined || !missingParts(own).includes(why)),
  );
  const partial = [...missingParts(shards), ...new Set(cut)];
  return {
    ...joined(first, parts),
    interrupted: parts.some((part) => part.interrupted),
    ...(shards.of > 1 && { shards }),
    ...(partial.length > 0 && { partial }),
  };
}

/**
 * The results of two rounds of cases of one device, of any seeds, as one: what `mergeRuns` does for parts. Whether it was interrupted is
 * what the later one says.
 */
export function mergeRounds(before: RunResult, later: RunResult): RunResult {
  const whole = joined(before, [before, later]);
  return { ...whole, errors: [...new Set(whole.errors)], interrupted: later.interrupted };
}

type Joined = Omit<RunResult, 'interrupted' | 'shards' | 'partial'>;

function joined(first: RunResult, parts: readonly RunResult[]): Joined {
  const rules = byId(
    parts.map((part) => part.rules),
    mergeRules,
  );
  const counts = Object.fromEntries(standing.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of rules) counts[verdict]++;
  const ended = parts.reduce((sum, { endedByDevice = 0 }) => sum + endedByDevice, 0);
  const { adapter, seed, spec, schema } = first;
  const [begun] = parts.flatMap((part) => part.begun ?? []).toSorted();
  const failures = mergeFailures(parts.flatMap((part) => part.failures));
  const shown = new Set([
    ...rules.filter(({ violations }) => violations > 0).map(({ id }) => id),
    ...failures.flatMap((failure) => (failure.signature === undefined ? [] : [findingName(failure)])),
  ]);
  return {
    schema,
    adapter,
    seed,
    spec,
    ...(begun !== undefined && { begun }),
    durationMs: parts.reduce((sum, part) => sum + part.durationMs, 0),
    counts,
    cases: parts.reduce((sum, part) => sum + part.cases, 0),
    packets: parts.reduce((sum, part) => sum + part.packets, 0),
    rules,
    properties: byId(
      parts.map((part) => part.properties),
      mergeProperties,
    ),
    failures,
    ...(first.impacts !== undefined && { impacts: first.impacts }),
    // one part that shows a known divergence is enough
    unexpectedPasses: [...new Set(parts.flatMap((part) => part.unexpectedPasses))].filter(
      (known) => !shown.has(known),
    ),
    ...(ended > 0 && { endedByDevice: ended }),
    notJudged: sumCounts(parts.flatMap((part) => part.notJudged)),
    errors: parts.flatMap((part) => part.errors),
  };
}
