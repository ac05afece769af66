import type { Draw } from '../corpus/random.ts';
import type { CorpusTrace } from '../corpus/traces.ts';
import { viewed, viewNames } from '../corpus/views/index.ts';
import * as wire from '../../wire/index.ts';
import type { Trial, Trials } from './trials.ts';

/** Flips that are tried on one trace. */
const perTrace = 16;
/** Traces that are kept for each mark, to make others of them. */
const perMark = 24;
/** A longer trace costs more than it shows. */
const longest = 400;

type Take = (number: number, trial: Trial) => void;

/** Looks for a trace that notices each flip: in a corpus, and then in traces that are made of those. */
export class Search {
  readonly #trials: Trials;
  readonly #take: Take;
  readonly #pool = new Map<string, CorpusTrace[]>();

  constructor(trials: Trials, take: Take) {
    this.#trials = trials;
    this.#take = take;
  }

  #try(numbers: readonly number[], weighed: Parameters<Trials['try']>[1]): void {
    for (const number of numbers) {
      const trial = this.#trials.try(number, weighed);
      if (trial !== undefined) this.#take(number, trial);
    }
  }

  /** A trace of the corpus; gives the rules that are broken in it. */
  offer(one: CorpusTrace): readonly string[] {
    const weighed = this.#trials.weigh(one);
    if (one.trace.events.length <= longest) {
      this.#try(this.#trials.fitting(weighed, perTrace), weighed);
      this.#keep(one, weighed.marks);
    }
    return 'thrown' in weighed.judged ? [] : weighed.judged.violations.map(({ rule }) => rule);
  }

  #keep(one: CorpusTrace, marks: ReadonlySet<string>): void {
    if (one.view !== undefined) return;
    const size = ({ trace }: CorpusTrace): number => trace.events.length;
    for (const mark of marks) {
      const kept = this.#pool.get(mark) ?? [];
      if (kept.length === perMark && size(one) >= size(kept[perMark - 1] ?? one)) continue;
      const at = kept.findIndex((other) => size(other) > size(one));
      kept.splice(at === -1 ? kept.length : at, 0, one);
      this.#pool.set(mark, kept.slice(0, perMark));
    }
  }

  /** Makes a trace of one that is kept for each flip that is still open, and tries it; gives how many are open. */
  round(draw: Draw): number {
    const { open } = this.#trials;
    for (const number of open) {
      const marks = this.#trials.marksOf(number).filter((mark) => this.#pool.has(mark));
      const one = draw.of(this.#pool.get(draw.of(marks) ?? '') ?? []);
      if (one === undefined) continue;
      const changes = [draw.of(viewNames), `nudged ${draw.below(1_000_000)}`];
      // one of them or, every other time, both
      const view =
        [changes.slice(0, 1), changes.slice(1), changes, changes][draw.below(4)]?.join(' + ') ?? '';
      const trace = viewed(one.trace, view, wire);
      if (trace === undefined) continue;
      const weighed = this.#trials.weigh({ name: one.name, view, trace });
      this.#try(this.#trials.fitting(weighed, perTrace), weighed);
    }
    return this.#trials.open.length;
  }
}
