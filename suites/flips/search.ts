import type { RuleSet } from '../../oracle/index.ts';
import * as wire from '../../wire/index.ts';
import { caseName, choiceNames, parseCaseName, type Cases } from '../corpus/cases.ts';
import type { Draw } from '../corpus/random.ts';
import { walk, walkName } from '../corpus/walks/index.ts';
import { numberedNames, viewed, viewNames, type CorpusTrace } from '../corpus/views/index.ts';
import type { Mutant } from '../mutants/index.ts';
import type { SuiteProperty } from '../property.ts';
import type { Trial, Trials } from './trials.ts';

/** Flips that are tried on one trace. */
const perTrace = 12;
/** Traces that are kept for each flip that they may show, and for each mark. */
const perPlace = 16;
/** A longer trace costs more than it shows. */
const longest = 800;
/** Changes of a trace on top of each other. */
const mostViews = 3;
/** Cases of a property and a seed; they are made together. */
const perSeed = 20;
const seeds = 50;

/** What a search makes traces of. */
export interface Source {
  readonly cases: Cases;
  readonly rules: RuleSet;
  readonly properties: readonly SuiteProperty[];
  readonly mutants: readonly Mutant[];
  readonly seed: number;
}

/** Flips that were noticed, one after the other. */
type Take = (number: number, trial: Trial) => void;

function machineOf(rules: RuleSet, rule: string): string {
  return rules.rule(rule)?.location.file.split('/').at(-2) ?? '';
}

/** The mutants by rule that they break, and by machine that they break a rule of. */
function mutantsBy(rules: RuleSet, mutants: readonly Mutant[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, rules: broken } of mutants)
    for (const place of new Set([...broken, ...broken.map((rule) => machineOf(rules, rule))]))
      found.set(place, [...(found.get(place) ?? []), id]);
  return found;
}

/**
 * Looks for a trace that notices each flip: makes cases of the properties that ask for its word, on conformant devices and on
 * mutants that break a rule of its machine, and changes traces in which the word would have said something else.
 */
export class Search {
  readonly #trials: Trials;
  readonly #source: Source;
  readonly #draw: Draw;
  readonly #take: Take;
  readonly #mutants: ReadonlyMap<string, readonly string[]>;
  readonly #byId: ReadonlyMap<string, SuiteProperty>;
  /** by mark, and by number of a flip: traces that ask for it, or may show it */
  readonly #kept = new Map<string | number, CorpusTrace[]>();

  constructor(trials: Trials, source: Source, draw: Draw, take: Take) {
    this.#trials = trials;
    this.#source = source;
    this.#draw = draw;
    this.#take = take;
    this.#mutants = mutantsBy(source.rules, source.mutants);
    this.#byId = new Map(source.properties.map((property) => [property.id, property]));
  }

  /** Tries the flips that a trace may show, `most` at most and until it is `over`: `wanted` first. */
  #offer(one: CorpusTrace, wanted?: number, { most = perTrace, over = (): boolean => false } = {}): void {
    if (one.trace.events.length > longest) return;
    const weighed = this.#trials.weigh(one);
    const first = wanted !== undefined && weighed.shown.has(wanted) ? [wanted] : [];
    for (const number of new Set([...first, ...this.#trials.fitting(weighed, most)])) {
      if (over()) return;
      const trial = this.#trials.try(number, weighed);
      if (trial !== undefined) this.#take(number, trial);
    }
    if ((one.view?.split(' + ').length ?? 0) >= mostViews) return;
    for (const number of weighed.shown) this.#keep(number, one);
    if (one.view === undefined) for (const mark of weighed.marks) this.#keep(mark, one);
  }

  #keep(place: string | number, one: CorpusTrace): void {
    const kept = this.#kept.get(place) ?? [];
    this.#kept.set(place, kept);
    if (kept.length < perPlace) kept.push(one);
    else if (this.#draw.below(4) === 0) kept[this.#draw.below(perPlace)] = one;
  }

  /** A trace that may show a flip; else one that asks for its word. */
  #base(number: number): CorpusTrace | undefined {
    const mark = this.#draw.of(this.#trials.marksOf(number).filter((one) => this.#kept.has(one)));
    const shown = this.#kept.get(number);
    const asked = mark === undefined ? undefined : this.#kept.get(mark);
    return this.#draw.of((this.#draw.below(8) > 0 ? (shown ?? asked) : asked) ?? []);
  }

  /** Of all devices, half the time a mutant that breaks the rule of a flip, or a rule of its machine. */
  #device(number: number): string {
    const { machine = '', rule = '' } = this.#trials.flip(number) ?? {};
    const turn = this.#draw.below(4);
    if (turn === 0) return '';
    const mutants = (turn === 1 ? undefined : this.#mutants.get(rule)) ?? this.#mutants.get(machine);
    return this.#draw.of(turn === 2 ? choiceNames : (mutants ?? choiceNames)) ?? '';
  }

  async #case(property: SuiteProperty, device: string): Promise<CorpusTrace | undefined> {
    const { cases, seed } = this.#source;
    const { capabilities } = await cases.profile(device);
    if (!(property.requires ?? []).every((word) => capabilities.includes(word))) return undefined;
    const at = { seed: seed + this.#draw.below(seeds), index: this.#draw.below(perSeed) };
    const one = { device, property: property.id, ...at };
    const trace = await cases.trace(property, one);
    return trace && { name: caseName(one), trace };
  }

  /** A walk, or a case of a property that asks for the word of a flip, or of any. */
  async #fresh(number: number): Promise<CorpusTrace | undefined> {
    if (this.#draw.below(4) === 0) {
      const walked = this.#draw.below(1_000_000);
      const trace = walk(walked, wire);
      return trace && { name: walkName(walked), trace };
    }
    const base = this.#draw.below(16) > 0 ? this.#base(number) : undefined;
    const known = this.#byId.get(parseCaseName(base?.name ?? '')?.property ?? '');
    const property = known ?? this.#draw.of(this.#source.properties);
    return property && this.#case(property, this.#device(number));
  }

  #changed(number: number): CorpusTrace | undefined {
    const base = this.#base(number);
    if (base === undefined) return undefined;
    const numbered = this.#draw.of(['nudged', 'picked', 'picked', ...numberedNames]) ?? '';
    const changes = [`${numbered} ${this.#draw.below(1_000_000)}`, this.#draw.of(viewNames) ?? ''];
    const added = [changes.slice(0, 1), changes.slice(0, 1), changes.slice(1), changes][this.#draw.below(4)];
    const trace = viewed(base.trace, added?.join(' + ') ?? '', wire);
    const view = [base.view ?? [], added ?? []].flat().join(' + ');
    return trace && { name: base.name, view, trace };
  }

  /** Offers traces, each for all that it may show. */
  offerAll(traces: Iterable<CorpusTrace>, over: () => boolean): void {
    for (const one of traces) {
      if (over()) return;
      this.#offer(one, undefined, { most: Infinity, over });
    }
  }

  /** Offers cases of each property on conformant devices, so that it is known which of them ask for what. */
  async survey(over: () => boolean): Promise<void> {
    for (const property of this.#source.properties)
      for (const device of ['', '', this.#draw.of(choiceNames) ?? '']) {
        if (over()) return;
        const one = await this.#case(property, device);
        if (one !== undefined) this.#offer(one);
      }
  }

  /** Makes a trace for a flip of each word that is still open, and tries it. */
  async round(over: () => boolean): Promise<void> {
    const byWord = new Map<string, number[]>();
    for (const number of this.#trials.open) {
      const word = this.#trials.flip(number)?.word ?? '';
      byWord.set(word, [...(byWord.get(word) ?? []), number]);
    }
    for (const numbers of byWord.values()) {
      if (over()) return;
      const number = this.#draw.of(numbers);
      if (number === undefined || this.#trials.flip(number) === undefined) continue;
      const one = this.#draw.below(5) < 2 ? await this.#fresh(number) : this.#changed(number);
      if (one !== undefined) this.#offer(one, number);
    }
  }
}
