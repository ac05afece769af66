import { judgeTrace, type Judgement, type RuleSet } from '../../oracle/index.ts';
import { messageOf } from '../corpus/drive.ts';
import type { CorpusTrace } from '../corpus/traces.ts';
import type { RecordedTrace } from '../corpus/views/index.ts';
import { Watch } from './watch.ts';

/** What came of judging a trace, or why the oracle refused it. */
export type Judged = Judgement | { thrown: string };

/** A trace that is kept. */
export interface Kept extends CorpusTrace {
  readonly judged: Judged;
  /** see `Watch` */
  readonly marks: ReadonlySet<string>;
}

/** Traces that are kept of those which show one thing. */
const mostAlike = 16;
/** A longer trace costs more than it shows. */
const longest = 400;

export function judge({ header, events }: RecordedTrace, rules: RuleSet): Judged {
  try {
    return judgeTrace(header, events, rules);
  } catch (error) {
    return { thrown: messageOf(error) };
  }
}

/** What a trace shows besides its marks: what is broken, left open, chosen. */
function* shownIn(judged: Judged): Generator<string> {
  if ('thrown' in judged) {
    yield `thrown ${judged.thrown}`;
    return;
  }
  for (const { rule } of judged.violations) yield `broken ${rule}`;
  for (const reason of judged.notJudged.keys()) yield `not judged ${reason}`;
  for (const doubt of judged.inconclusive) yield `doubt ${doubt.replaceAll(/\d+|0x[0-9a-f]+/g, 'n')}`;
  for (const [rule, choices] of judged.observed)
    for (const choice of choices.keys()) yield `chosen ${rule} ${choice}`;
}

/** The traces of a corpus that show something, by what they show. */
export class Evidence {
  readonly #rules: RuleSet;
  readonly #watch: Watch;
  readonly #kept: Kept[] = [];
  readonly #shown = new Map<string, number>();
  readonly #byMark = new Map<string, readonly Kept[]>();
  readonly #frequencies = new Map<string, number>();
  /** traces that were looked at */
  seen = 0;

  constructor(rules: RuleSet) {
    this.#rules = rules;
    this.#watch = new Watch(rules);
  }

  get size(): number {
    return this.#kept.length;
  }

  /** Takes a trace, and keeps it if it shows anything that few others do; gives the rules that are broken in it. */
  offer(one: CorpusTrace): readonly string[] {
    this.seen++;
    const judged = judge(one.trace, this.#rules);
    const broken = 'thrown' in judged ? [] : [...new Set(judged.violations.map(({ rule }) => rule))];
    if (one.trace.events.length > longest) return broken;
    const view = one.view === undefined ? '' : 'made ';
    const exercised = 'thrown' in judged ? [] : judged.exercised.keys();
    const features = [...exercised, ...shownIn(judged)].map((feature) => view + feature);
    if (features.every((feature) => (this.#shown.get(feature) ?? 0) >= mostAlike)) return broken;
    for (const feature of features) this.#shown.set(feature, (this.#shown.get(feature) ?? 0) + 1);
    judge(one.trace, this.#watch.begin());
    this.#kept.push({ ...one, judged, marks: this.#watch.marks });
    return broken;
  }

  /** Traces with one of the marks; those that differ in what they ask of the machine come first, rare and short ones in turn. */
  *traces(marks: readonly string[]): Generator<Kept> {
    const given = new Set<Kept>();
    for (const mark of marks)
      for (const one of this.#with(mark)) {
        if (given.has(one)) continue;
        given.add(one);
        yield one;
      }
  }

  /** How many traces have a mark. */
  #frequency(mark: string): number {
    if (this.#frequencies.size === 0)
      for (const { marks } of this.#kept)
        for (const one of marks) this.#frequencies.set(one, (this.#frequencies.get(one) ?? 0) + 1);
    return this.#frequencies.get(mark) ?? 1;
  }

  /** The machine that a mark is of. */
  #machineOf(mark: string): string {
    const rule = this.#rules.rule(mark);
    return rule === undefined ? (mark.split(' ')[0] ?? '') : (rule.location.file.split('/').at(-2) ?? '');
  }

  #with(mark: string): readonly Kept[] {
    let found = this.#byMark.get(mark);
    if (found === undefined) this.#byMark.set(mark, (found = this.#ordered(mark)));
    return found;
  }

  #ordered(mark: string): Kept[] {
    const machine = this.#machineOf(mark);
    const fitting = this.#kept
      .filter(({ marks }) => marks.has(mark))
      .map((kept) => {
        const own = [...kept.marks].filter((one) => this.#machineOf(one) === machine);
        const rarity = own.reduce((sum, one) => sum + 1 / this.#frequency(one), 0);
        return { kept, rarity, shows: [...own, ...shownIn(kept.judged)].toSorted().join() };
      });
    const short = distinct(fitting.toSorted((a, b) => sizeOf(a.kept) - sizeOf(b.kept)));
    const rare = distinct(fitting.toSorted((a, b) => b.rarity - a.rarity || sizeOf(a.kept) - sizeOf(b.kept)));
    return rare.flatMap(({ kept }, i) => [kept, short[i]?.kept ?? kept]);
  }
}

function sizeOf({ trace }: Kept): number {
  return trace.events.length;
}

/** In their order, but what shows the same as one before comes behind all that do not. */
function distinct<T extends { shows: string }>(all: readonly T[]): T[] {
  const before = new Map<string, number>();
  const rounds: T[][] = [];
  for (const one of all) {
    const round = before.get(one.shows) ?? 0;
    before.set(one.shows, round + 1);
    (rounds[round] ??= []).push(one);
  }
  return rounds.flat();
}
