import { ladder } from '../../suites/index.ts';
import type { RunCase } from '../../suites/runner/record.ts';
import { findingKey, signatureOf } from '../../suites/runner/signature.ts';
import { sizeOf } from '../../suites/runner/tally.ts';
import type { CaseCounts, CaseLine, Counts, SeenViolation } from './lines.ts';
import type { JournalState } from './state.ts';

type Driven = Exclude<RunCase['outcome'], { kind: 'error' }>;

/** The line of one case, `t` milliseconds after the beginning. `counted`: ids of the rules that count; `state`: the cases before. */
export function caseLine(
  { property, scenario, outcome, replayed }: RunCase,
  t: number,
  counted: ReadonlySet<string>,
  state: JournalState,
): CaseLine {
  const head = { line: 'case', t, property, ...(replayed && { replayed }) } as const;
  if (outcome.kind === 'error') return { ...head, error: outcome.message };
  const seen = [...seenIn({ property, scenario, outcome }, counted, state)];
  return { ...head, ...countsOf(outcome, counted), ...(seen.length > 0 && { seen }) };
}

function countsOf({ judgement }: Driven, counted: ReadonlySet<string>): CaseCounts {
  const violations: Counts = {};
  for (const { rule } of judgement.violations)
    if (counted.has(rule)) violations[rule] = (violations[rule] ?? 0) + 1;
  const inconclusive: Counts = {};
  for (const reason of judgement.inconclusive) inconclusive[reason] = (inconclusive[reason] ?? 0) + 1;
  const filled = (counts: Counts): boolean => Object.keys(counts).length > 0;
  const choices = Object.fromEntries(
    [...judgement.observed].map(([rule, counts]) => [rule, Object.fromEntries(counts)]),
  );
  return {
    packets: judgement.packets,
    exercised: Object.fromEntries(judgement.exercised),
    ...(filled(violations) && { violations }),
    ...(judgement.notJudged.size > 0 && { notJudged: Object.fromEntries(judgement.notJudged) }),
    ...(filled(inconclusive) && { inconclusive }),
    ...(judgement.observed.size > 0 && { choices }),
  };
}

/** Violations that this case shows better than any before it. */
function* seenIn(
  { property, scenario, outcome }: Pick<RunCase, 'property' | 'scenario'> & { outcome: Driven },
  counted: ReadonlySet<string>,
  state: JournalState,
): Generator<SeenViolation> {
  if (outcome.kind === 'clean') return;
  const { judgement, drive } = outcome;
  const seen = new Set<string>();
  for (const [rank, violation] of judgement.violations.entries()) {
    const { rule, expected, observed } = violation;
    if (!counted.has(rule)) continue;
    const signature = signatureOf(violation, drive.events);
    const key = findingKey({ rule, signature });
    const size = sizeOf(scenario);
    if (seen.has(key) || !state.better({ rule, signature, rank, size })) continue;
    seen.add(key);
    const lines = ladder(drive.events, violation, drive);
    yield { rule, signature, property, expected, observed, rank, size, scenario, ladder: lines };
  }
}
