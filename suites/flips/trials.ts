import { withMachine } from '../../oracle/compile/variant.ts';
import type { RuleSet } from '../../oracle/index.ts';
import type { Machine } from '../../oracle/rules.ts';
import type { CorpusTrace } from '../corpus/views/index.ts';
import type { AnyFlip } from './flip.ts';
import { judge, noticed, type Difference, type Judged } from './judged.ts';
import { Watch } from './watch.ts';

/** By what a flip was noticed; `compiler`: it refuses such rules, and no trace is needed. */
export type Notice = 'compiler' | Difference;

/** What came of a flip so far. */
export interface Trial {
  readonly notice?: Notice;
  /** the trace that showed it: name of the case, and view */
  readonly by?: { readonly name: string; readonly view?: string };
  /** traces that were judged with it */
  readonly tried: number;
}

/** A flip that nothing has noticed yet. */
interface Open {
  readonly flip: AnyFlip;
  /** its machine, once it was asked; absent where the flip is of a rule */
  machine?: Machine | 'refused';
  tried: number;
  /** traces that it lets pass, the more the oftener it was tried, so that hopeless ones do not keep others from their turn */
  pause: number;
}

/** A trace with what the oracle says of it. */
export interface Tryable {
  readonly one: CorpusTrace;
  readonly judged: Judged;
}

/** The same with what it asked for. */
export interface Weighed extends Tryable {
  /** see `Watch` */
  readonly marks: ReadonlySet<string>;
  /** flips of which a word was asked and would have said something else, or that the compiler refuses */
  readonly shown: ReadonlySet<number>;
}

const longestPause = 200;
/** Tries flips on traces, until one of each word was noticed, or each was tried often enough. Flips go by their numbers. */
export class Trials {
  readonly #rules: RuleSet;
  readonly #watch: Watch;
  readonly #open = new Map<number, Open>();
  /** made when the first trace is weighed */
  #byMark: Map<string, Set<number>> | undefined;
  readonly #byWord = new Map<string, number[]>();
  readonly #most: number;
  #marks = new Set<string>();
  #shown = new Set<number>();

  /** `most`: traces after which a flip is tried no more. */
  constructor(rules: RuleSet, flips: ReadonlyMap<number, AnyFlip>, most: number) {
    this.#rules = rules;
    this.#watch = new Watch(rules, (mark, differs) => this.#hear(mark, differs));
    this.#most = most;
    for (const [number, flip] of flips) {
      this.#open.set(number, { flip, tried: 0, pause: 0 });
      this.#byWord.set(flip.word, [...(this.#byWord.get(flip.word) ?? []), number]);
    }
  }

  #hear(mark: string, differs: (other: Machine) => boolean): void {
    this.#marks.add(mark);
    for (const number of this.#byMark?.get(mark) ?? []) {
      const open = this.#open.get(number);
      if (open === undefined || open.tried >= this.#most || this.#shown.has(number)) continue;
      const machine = open.flip.rule === undefined ? this.#machineOf(open) : undefined;
      if (machine === undefined || machine === 'refused' || wouldDiffer(differs, machine))
        this.#shown.add(number);
    }
  }

  /** Machines are small; what the oracle keeps of a set of rules is large, and not kept from one trace to the next. */
  #machineOf(open: Open): Machine | 'refused' {
    open.machine ??= open.flip.rules()?.machines.get(open.flip.machine) ?? 'refused';
    return open.machine;
  }

  #rulesOf(open: Open): RuleSet | undefined {
    if (open.flip.rule !== undefined) return open.flip.rules();
    const machine = this.#machineOf(open);
    if (machine === 'refused') return undefined;
    return withMachine(this.#rules, machine);
  }

  /** Those that may be tried further. */
  get open(): readonly number[] {
    return [...this.#open].filter(([, { tried }]) => tried < this.#most).map(([number]) => number);
  }

  /** Traces that were judged with a flip which was not noticed. */
  tried(number: number): number {
    return this.#open.get(number)?.tried ?? 0;
  }

  /** A flip that is still open. */
  flip(number: number): AnyFlip | undefined {
    return this.#open.get(number)?.flip;
  }

  marksOf(number: number): readonly string[] {
    return this.#open.get(number)?.flip.marks ?? [];
  }

  /** It was noticed: its word matters, and the other flips of that word need no try. */
  close(number: number): void {
    for (const other of this.#byWord.get(this.#open.get(number)?.flip.word ?? '') ?? []) {
      this.#forget(other);
      this.#open.delete(other);
    }
  }

  #forget(number: number): void {
    if (this.#byMark === undefined) return;
    for (const mark of this.marksOf(number)) this.#byMark.get(mark)?.delete(number);
  }

  #marked(): Map<string, Set<number>> {
    const found = new Map<string, Set<number>>();
    for (const [number, { flip }] of this.#open)
      for (const mark of flip.marks) found.set(mark, (found.get(mark) ?? new Set()).add(number));
    return found;
  }

  /** Judges a trace, and finds out what it may show. */
  weigh(one: CorpusTrace): Weighed {
    this.#byMark ??= this.#marked();
    this.#marks = new Set();
    this.#shown = new Set();
    const judged = judge(one.trace, this.#watch.begin());
    return { one, judged, marks: this.#marks, shown: this.#shown };
  }

  /** The open flips that a trace may show, the least tried first: one of each word, `most` at most. */
  fitting({ shown }: Weighed, most: number): number[] {
    const words = new Set<string>();
    const isFirst = (number: number): boolean => {
      const word = this.#open.get(number)?.flip.word ?? '';
      return !words.has(word) && words.add(word).size > 0;
    };
    return [...shown]
      .filter((number) => this.#isReady(number))
      .toSorted((a, b) => this.tried(a) - this.tried(b))
      .filter(isFirst)
      .slice(0, most);
  }

  #isReady(number: number): boolean {
    const open = this.#open.get(number);
    if (open === undefined || open.tried >= this.#most) return false;
    if (open.pause === 0) return true;
    open.pause--;
    return false;
  }

  /** Judges a trace with a flip; what came of it if that notices the flip. */
  try(number: number, { one: { name, view, trace }, judged }: Tryable): Trial | undefined {
    const open = this.#open.get(number);
    if (open === undefined) return undefined;
    const rules = this.#rulesOf(open);
    if (rules === undefined) {
      this.#forget(number);
      this.#open.delete(number);
      return { notice: 'compiler', tried: 0 };
    }
    open.tried++;
    open.pause = Math.min((open.tried * open.tried) >> 1, longestPause);
    const notice = noticed(judged, trace, rules);
    if (notice === undefined) return undefined;
    this.close(number);
    return { notice, by: { name, ...(view !== undefined && { view }) }, tried: open.tried };
  }
}

function wouldDiffer(differs: (other: Machine) => boolean, machine: Machine): boolean {
  try {
    return differs(machine);
  } catch (error) {
    // a word that the machine does not know any more
    if (error instanceof RangeError || error instanceof TypeError) return true;
    throw error;
  }
}
