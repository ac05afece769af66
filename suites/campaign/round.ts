import { findingName, type Failure, type RunResult } from '../../report/results.ts';
import type { KnownDivergence } from '../known.ts';
import { properties, runConformance } from '../run.ts';
import type { RunOptions } from '../runner/options.ts';
import type { RunCase, RunRecord } from '../runner/record.ts';
import { selectProperties } from '../runner/select.ts';
import type { Scenario } from '../scenario.ts';
import { neighbours } from './neighbours.ts';
import type { Pairs } from './pairs.ts';

/** One of so many cases is beside one that was kept. */
const neighbourOf = 4;

/** A case that was the first to exercise rules together. */
export interface KeptCase {
  property: string;
  /** how many rules, and pairs of rules, it was the first to exercise */
  news: number;
  scenario: Scenario;
}

/** What a round is run with, besides what every round is. */
export interface RoundOptions extends Omit<
  RunOptions,
  'properties' | 'property' | 'rule' | 'shard' | 'known'
> {
  seed: number;
  known: NonNullable<Extract<RunOptions['known'], (...args: never) => unknown>>;
}

/** What came before a round. */
export interface Before {
  /** cases kept so far */
  kept: readonly KeptCase[];
  /** takes what the cases of the round exercise */
  pairs: Pairs;
  /** everything that earlier rounds found; absent before the first */
  result?: RunResult;
}

const already = 'found in an earlier round';

/** What earlier rounds found need not be made small and shown again as if it were new. */
function alreadyFound(failures: readonly Failure[]): KnownDivergence[] {
  return failures
    .filter(({ known }) => !known)
    .map(({ rule, signature }) => ({
      rule,
      ...(signature !== undefined && { signature }),
      reason: already,
      seldom: already,
    }));
}

/** A later round without what only says that an earlier one found it as well. */
function onlyNews(later: RunResult, before: RunResult): RunResult {
  const old = new Set(before.failures.map(findingName));
  const known = new Map(before.properties.map(({ id, known: is }) => [id, is]));
  return {
    ...later,
    rules: later.rules.map(({ known: entry, ...rule }) =>
      entry === undefined || entry.reason === already ? rule : { ...rule, known: entry },
    ),
    properties: later.properties.map(({ known: is, ...property }) =>
      is === true && (known.get(property.id) ?? true) ? { ...property, known: is } : property,
    ),
    failures: later.failures.filter((failure) => !old.has(findingName(failure))),
  };
}

/** Keeps the cases that were the first to exercise rules together, first in the order of their places: several at a time come in any. */
class Keeper implements RunRecord {
  readonly #pairs: Pairs;
  readonly #kept: KeptCase[] = [];
  readonly #early = new Map<number, Pick<RunCase, 'property' | 'scenario'> & { rules: readonly string[] }>();
  #next = 0;

  constructor(pairs: Pairs) {
    this.#pairs = pairs;
  }

  case({ property, scenario, outcome, place }: RunCase): void {
    const rules = outcome.kind === 'error' ? [] : [...outcome.judgement.exercised.keys()];
    this.#early.set(place, { property, scenario, rules });
    while (this.#early.has(this.#next)) this.#count(this.#next++);
  }

  /** All of them, once no more will come. */
  kept(): readonly KeptCase[] {
    // of what was begun before one of them, not all came to something
    for (const place of [...this.#early.keys()].toSorted((a, b) => a - b)) this.#count(place);
    return this.#kept;
  }

  #count(place: number): void {
    const seen = this.#early.get(place);
    if (seen === undefined) return;
    this.#early.delete(place);
    const { property, scenario, rules } = seen;
    const news = this.#pairs.add(rules);
    if (news > 0) this.#kept.push({ property, news, scenario });
  }

  /** The result says what else there is. */
  begin(): void {}
  failure(): void {}
  doubt(): void {}
}

/**
 * One round of a campaign: a run with a seed of its own, of which some cases are beside those that earlier rounds kept. Gives its result
 * without the findings of earlier rounds, and what it adds to the cases that are kept. Throws what `runConformance` throws.
 */
export async function campaignRound(
  options: RoundOptions,
  { kept, pairs, result: before }: Before,
): Promise<{ result: RunResult; kept: KeptCase[] }> {
  const { suite, known, ...rest } = options;
  const chosen = selectProperties(properties, suite === undefined ? {} : { suite });
  const shares = chosen.reduce((sum, { share = 1 }) => sum + share, 0);
  const beside = neighbours(
    kept.map(({ scenario }) => scenario),
    Math.ceil(shares / (neighbourOf - 1)),
  );
  const keeper = new Keeper(pairs);
  const round = await runConformance({
    ...rest,
    record: keeper,
    properties: kept.length === 0 ? chosen : [...chosen, beside],
    known: (profile) => [...known(profile), ...alreadyFound(before?.failures ?? [])],
  });
  return { result: before === undefined ? round : onlyNews(round, before), kept: [...keeper.kept()] };
}
