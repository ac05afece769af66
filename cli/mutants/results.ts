import type { Hunt, Mutant } from '../../suites/mutants/index.ts';

export type MutantVerdict = 'killed' | 'survived' | 'not-judged' | 'error' | 'not-tried';

/** What one seed did to a mutant. */
export interface HuntResult {
  seed: number;
  /** cases until it was killed; absent where it survived */
  cases?: number;
  /** cases run */
  tried: number;
  killedBy?: string;
  property?: string;
}

export interface MutantResult {
  id: string;
  says: string;
  family: string;
  statements: string[];
  /** rules that it is expected to break */
  rules: string[];
  verdict: MutantVerdict;
  /** why no rule forbids what it does */
  notJudged?: string;
  /** rules of its own that were seen violated */
  broken: string[];
  /** rules of others that were violated on the way */
  others: string[];
  /** median over the seeds that killed it */
  median?: number;
  most?: number;
  error?: string;
  hunts: HuntResult[];
}

/** What `mutants` found: the shape of its JSON (`spec/schema/mutants.schema.json`). */
export interface MutantsResult {
  schema: 'rdma-conform/mutants/1';
  /** digest of the rules */
  spec: string;
  seeds: number[];
  /** cases after which a mutant survives */
  limit: number;
  /** hunts went on until each rule was seen violated */
  everyRule: boolean;
  /** properties that aim at a mutant's rules had the first turn; otherwise the order is that of a run */
  aimed: boolean;
  /** suites that were tried, with commas between; absent: all */
  suite?: string;
  durationMs: number;
  threads: number;
  counts: Record<MutantVerdict, number>;
  /** cases to kill, over all mutants and seeds */
  median?: number;
  most?: number;
  mutants: MutantResult[];
  /** mutants that the suite does not reach, and were left out */
  outOfReach: string[];
  interrupted: boolean;
}

/** The middle one, or the mean of the two in the middle, a half of a case counted as one. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : Math.ceil((lower + upper) / 2);
}

function verdictOf(mutant: Mutant, hunts: readonly Hunt[]): MutantVerdict {
  if (hunts.some(({ error }) => error !== undefined)) return 'error';
  if (mutant.notJudged !== undefined) return 'not-judged';
  if (hunts.some(({ deaths }) => deaths.length === 0)) return 'survived';
  return hunts.length > 0 ? 'killed' : 'not-tried';
}

/** `hunts` are fewer than the seeds where the run was interrupted. */
export function mutantResult(mutant: Mutant, hunts: readonly Hunt[]): MutantResult {
  const { id, says, family, statements, rules, notJudged } = mutant;
  const cases = hunts.flatMap(({ deaths: [first] }) => (first === undefined ? [] : [first.cases]));
  const middle = median(cases);
  const error = hunts.find((hunt) => hunt.error !== undefined)?.error;
  return {
    id,
    says,
    family,
    statements: [...statements],
    rules: [...rules],
    verdict: verdictOf(mutant, hunts),
    ...(notJudged === undefined ? {} : { notJudged }),
    broken: [...new Set(hunts.flatMap(({ deaths }) => deaths.map(({ rule }) => rule)))],
    others: [...new Set(hunts.flatMap(({ others }) => others))],
    ...(middle === undefined ? {} : { median: middle, most: Math.max(...cases) }),
    ...(error === undefined ? {} : { error }),
    hunts: hunts
      .toSorted((a, b) => a.seed - b.seed)
      .map(({ seed, cases: tried, deaths: [first] }) => ({
        seed,
        ...(first === undefined
          ? {}
          : { cases: first.cases, killedBy: first.rule, property: first.property }),
        tried,
      })),
  };
}

/** Rules that a killed mutant was expected to break and did not, which says something only where each was waited for. */
export function unseen(result: MutantsResult, mutant: MutantResult): string[] {
  if (!result.everyRule || mutant.verdict !== 'killed') return [];
  return mutant.rules.filter((rule) => !mutant.broken.includes(rule));
}

/** Mutants that no rule was to catch, and one did. */
export function caughtUnawares(mutants: readonly MutantResult[]): MutantResult[] {
  return mutants.filter(({ verdict, broken }) => verdict === 'not-judged' && broken.length > 0);
}

export function mutantCounts(mutants: readonly MutantResult[]): Record<MutantVerdict, number> {
  const counts = { killed: 0, survived: 0, 'not-judged': 0, error: 0, 'not-tried': 0 };
  for (const { verdict } of mutants) counts[verdict]++;
  return counts;
}
