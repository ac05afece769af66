import type { Difference } from './compare.ts';
import { placeOf, type Names } from './names.ts';

/** Differences of one kind: where they were met first, and how often. */
export interface Group {
  /** e.g. `exercised rc-request-ahead` */
  what: string;
  cases: number;
  first: { name: string; difference: Difference };
}

/** What a part of the corpus came to. Plain data: it goes from process to process. */
export interface Tally {
  /** cases run, and traces judged by both builds */
  cases: number;
  judged: number;
  /** cases that differ, and those that differ only in what the list names */
  differ: number;
  named: number;
  groups: Group[];
  /** how often each named difference was met, by its place in the list */
  met: number[];
}

export function emptyTally(names: Names): Tally {
  return { cases: 0, judged: 0, differ: 0, named: 0, groups: [], met: names.differences.map(() => 0) };
}

function addGroup(tally: Tally, group: Group): void {
  const known = tally.groups.find(({ what }) => what === group.what);
  if (known === undefined) tally.groups.push(group);
  else known.cases += group.cases;
}

/** Counts one case; `name` is what makes it again. */
export function count(
  tally: Tally,
  names: Names,
  where: { name: string; property?: string; mutant?: string },
  { judged, differences }: { judged: number; differences: readonly Difference[] },
): void {
  tally.cases++;
  tally.judged += judged;
  const unnamed = differences.filter((difference) => {
    const at = placeOf(difference, where, names);
    if (at >= 0) tally.met[at] = (tally.met[at] ?? 0) + 1;
    return at < 0;
  });
  if (unnamed.length > 0) tally.differ++;
  else if (differences.length > 0) tally.named++;
  const seen = new Set<string>();
  for (const difference of unnamed) {
    const what = `${difference.field} ${difference.key}`.trim();
    if (seen.has(what)) continue;
    seen.add(what);
    addGroup(tally, { what, cases: 1, first: { name: where.name, difference } });
  }
}

/** Adds what another part came to. */
export function add(tally: Tally, other: Tally): void {
  tally.cases += other.cases;
  tally.judged += other.judged;
  tally.differ += other.differ;
  tally.named += other.named;
  tally.met = tally.met.map((n, i) => n + (other.met[i] ?? 0));
  for (const group of other.groups) addGroup(tally, group);
}
