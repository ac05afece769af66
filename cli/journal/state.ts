import { findingName, type Failure, type RunResult } from '../../report/results.ts';
import { findingKey } from '../../suites/runner/signature.ts';
import { showsBetter, Tally } from '../../suites/runner/tally.ts';
import type {
  BeginLine,
  CaseCounts,
  CaseLine,
  Counts,
  JournalLine,
  SeenViolation,
  TotalsLine,
} from './lines.ts';

function addAll(into: Map<string, number>, more: Counts = {}): void {
  for (const [key, by] of Object.entries(more)) into.set(key, (into.get(key) ?? 0) + by);
}

function countsOf(from: ReadonlyMap<string, number>): Counts {
  return Object.fromEntries(from);
}

/** What the lines of a journal add up to, so far. */
export class JournalState {
  begin: BeginLine | undefined;
  end: RunResult | undefined;
  readonly tally = new Tally();
  readonly failures: Failure[] = [];
  /** by finding: why it could not be shown again */
  readonly doubts = new Map<string, { rule: string; signature: string; why: string }>();
  /** milliseconds from the beginning to the last line that tells its time */
  elapsed = 0;

  apply(line: JournalLine): void {
    switch (line.line) {
      case 'begin':
        this.begin = line;
        return;
      case 'case':
        return this.#case(line);
      case 'totals':
        return this.#totals(line);
      case 'failure':
        this.#failure(line.failure);
        return;
      case 'doubt':
        this.doubts.set(findingKey(line), line);
        return;
      case 'end':
        this.end = line.result;
        return;
    }
  }

  /** Whether a case shows a finding better than those before it. */
  better(seen: Pick<SeenViolation, 'rule' | 'signature' | 'rank' | 'size'>): boolean {
    return showsBetter(seen, this.tally.found.get(findingKey(seen)));
  }

  /** As few lines as say the same as all that were applied. */
  lines(): JournalLine[] {
    const { begin, end, failures, doubts } = this;
    return [
      ...(begin === undefined ? [] : [begin]),
      this.#totalsLine(),
      ...failures.map((failure) => ({ line: 'failure', failure }) as const),
      ...[...doubts.values()].map(
        ({ rule, signature, why }) => ({ line: 'doubt', rule, signature, why }) as const,
      ),
      ...(end === undefined ? [] : [{ line: 'end', result: end } as const]),
    ];
  }

  /** One that is reported again is known better. */
  #failure(failure: Failure): void {
    const name = findingName(failure);
    const at = this.failures.findIndex((other) => findingName(other) === name);
    this.failures.splice(at < 0 ? this.failures.length : at, 1, failure);
  }

  #case(line: CaseLine): void {
    const { tally } = this;
    const { property } = line;
    this.elapsed = line.t;
    if (line.replayed !== true) tally.case(property);
    if ('error' in line) {
      tally.error(property, line.error);
      return;
    }
    this.#counts(line);
    const rules = Object.keys(line.violations ?? {});
    if (rules.length > 0) this.#violatedBy(property, rules);
    for (const seen of line.seen ?? []) this.#see(seen);
  }

  #totals(line: TotalsLine): void {
    const { tally } = this;
    this.elapsed = line.t;
    tally.cases += line.cases;
    this.#counts(line);
    addAll(tally.casesByProperty, line.casesByProperty);
    for (const [property, rules] of Object.entries(line.rulesByProperty)) this.#violatedBy(property, rules);
    for (const [property, messages] of Object.entries(line.errors))
      for (const message of messages) tally.error(property, message);
    for (const seen of line.seen) this.#see(seen);
  }

  #counts(counts: CaseCounts): void {
    const { tally } = this;
    tally.packets += counts.packets;
    addAll(tally.exercised, counts.exercised);
    addAll(tally.violations, counts.violations);
    addAll(tally.notJudged, counts.notJudged);
    addAll(tally.inconclusive, counts.inconclusive);
    for (const [rule, more] of Object.entries(counts.choices ?? {})) {
      const all = tally.choices.get(rule) ?? new Map<string, number>();
      tally.choices.set(rule, all);
      addAll(all, more);
    }
  }

  #violatedBy(property: string, rules: readonly string[]): void {
    const { rulesByProperty } = this.tally;
    const all = rulesByProperty.get(property) ?? new Set();
    rulesByProperty.set(property, all);
    for (const rule of rules) all.add(rule);
  }

  #see(seen: SeenViolation): void {
    if (!this.better(seen)) return;
    const { rule, signature, property, expected, observed, rank, size, scenario, ladder } = seen;
    this.tally.see({
      rule,
      signature,
      others: [],
      property,
      rank,
      size,
      violation: { rule, event: -1, t: 0, qp: '', expected, observed },
      generated: { scenario, simpler: () => [][Symbol.iterator]() },
      ladder: () => ladder,
    });
  }

  #totalsLine(): TotalsLine {
    const { tally, elapsed } = this;
    const seen = [...tally.found.values()].map(
      ({ rule, signature, property, rank, size, violation, generated, ladder: drawn }) => {
        const { expected, observed } = violation;
        const { scenario } = generated;
        const ladder = drawn?.() ?? [];
        return { rule, signature, property, expected, observed, rank, size, scenario, ladder };
      },
    );
    return {
      line: 'totals',
      t: elapsed,
      cases: tally.cases,
      packets: tally.packets,
      exercised: countsOf(tally.exercised),
      violations: countsOf(tally.violations),
      notJudged: countsOf(tally.notJudged),
      inconclusive: countsOf(tally.inconclusive),
      choices: Object.fromEntries([...tally.choices].map(([rule, counts]) => [rule, countsOf(counts)])),
      casesByProperty: countsOf(tally.casesByProperty),
      rulesByProperty: Object.fromEntries([...tally.rulesByProperty].map(([id, rules]) => [id, [...rules]])),
      errors: Object.fromEntries(tally.errorsByProperty),
      seen,
    };
  }
}
