import { nameOf, type AnyFlip } from '../../suites/flips/flip.ts';
import type { Trial } from '../../suites/flips/trials.ts';
import { joined, keyOf, ofKeys, type Witness } from '../../suites/flips/witnesses.ts';
import { threads, type Pool } from './pool.ts';
import type { Report, Task } from './task.ts';

/** Traces on which a flip is tried that its own does not show any more, or that is excused, by each thread. */
const most = 20;

/** A search for what the witnesses do not show. */
export interface SearchTerms {
  seed: number;
  /** milliseconds */
  time: number;
}

type Replayed = Extract<Task, { kind: 'replay' }>['cases'][number];

/** The witnesses of these flips, by thread: views of one case stay together. */
function replayed(
  flips: readonly AnyFlip[],
  numbers: readonly number[],
  witnesses: readonly Witness[],
): Replayed[][] {
  const byKey = new Map<string, number[]>();
  for (const number of numbers) {
    const flip = flips[number];
    if (flip === undefined) continue;
    const key = keyOf(nameOf(flip));
    byKey.set(key, [...(byKey.get(key) ?? []), number]);
  }
  const parts: Replayed[][] = Array.from({ length: threads }, () => []);
  let part = 0;
  let before = '';
  for (const { name, view, shows } of witnesses.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const wanted = shows.flatMap((key) => byKey.get(key) ?? []);
    if (wanted.length === 0) continue;
    if (name !== before) part = (part + 1) % threads;
    before = name;
    parts[part]?.push({ name, ...(view !== undefined && { view }), flips: wanted });
  }
  return parts;
}

/**
 * Tries flips, by number: each on the trace that is known to show it; what that does not show any more, or is excused, on those that
 * show others; and, with `search`, what is left on a corpus; until one of each word is noticed. Gives a trial of each. `pool`: it is of no use any more afterwards. `progress`: share of the traces judged, if that is known, and what is being done.
 */
export async function tryFlips(
  flips: readonly AnyFlip[],
  numbers: readonly number[],
  witnesses: readonly Witness[],
  excused: (word: string) => boolean,
  search: SearchTerms | undefined,
  pool: Pool,
  progress: (done: number | undefined, doing: string) => void,
): Promise<ReadonlyMap<number, Trial>> {
  const trials = new Map<number, Trial>(numbers.map((number) => [number, { tried: 0 }]));
  const wordOf = (number: number): string => flips[number]?.word ?? '';
  const noticed = new Set<string>();
  const open = (): number[] =>
    numbers.filter((number) => !noticed.has(wordOf(number)) && trials.get(number)?.notice === undefined);
  const parts = replayed(flips, numbers, witnesses);
  const whole = parts.reduce((sum, part) => sum + part.length, 0);
  let steps = 0;
  const take = (report: Report): void => {
    switch (report.kind) {
      case 'trial':
        trials.set(report.flip, report.trial);
        if (report.trial.notice !== 'compiler') noticed.add(wordOf(report.flip));
        return;
      case 'tried': {
        const before = trials.get(report.flip) ?? { tried: 0 };
        if (before.notice === undefined) trials.set(report.flip, { tried: before.tried + report.tried });
        return;
      }
      case 'step':
        steps++;
        progress(steps <= whole ? steps / whole : undefined, report.doing);
        return;
      case 'done':
    }
  };
  try {
    await pool.do((i) => ({ kind: 'replay', cases: parts[i] ?? [] }), take);
    // no trace is needed
    for (const number of open())
      if (flips[number]?.rules() === undefined) trials.set(number, { notice: 'compiler', tried: 0 });
    const wanted = new Set(parts.flatMap((part) => part.flatMap((one) => one.flips)));
    const left = open().filter((flip) => wanted.has(flip) || excused(wordOf(flip)));
    await pool.do(() => ({ kind: 'try', flips: left, most }), take);
    const unseen = open();
    if (search !== undefined && unseen.length > 0)
      await pool.do((i) => ({ kind: 'search', flips: unseen, ...search, part: { i, n: threads } }), take);
  } finally {
    await pool.end();
  }
  return trials;
}

/** The witnesses that trials came upon, and of those before such as show a flip that was not tried. */
export function witnessesOf(
  flips: readonly AnyFlip[],
  trials: ReadonlyMap<number, Trial>,
  before: readonly Witness[],
): Witness[] {
  const tried = new Set<string>();
  const untried = new Set<string>();
  for (const [number, flip] of flips.entries())
    (trials.has(number) ? tried : untried).add(keyOf(nameOf(flip)));
  const kept = ofKeys(before, (key) => untried.has(key) && !tried.has(key));
  const found = [...trials].flatMap(([number, { by }]) => {
    const flip = flips[number];
    return flip === undefined || by === undefined ? [] : [{ ...by, shows: [keyOf(nameOf(flip))] }];
  });
  return joined([...kept, ...found]);
}
