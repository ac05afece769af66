import type { Profile } from '../../adapters/adapter.ts';
import * as wire from '../../wire/index.ts';
import type { Mutant } from '../mutants/index.ts';
import type { SuiteProperty } from '../property.ts';
import { aim } from './aim.ts';
import { caseName, choiceNames, type Case, type Cases } from './cases.ts';
import { hashOf } from './random.ts';
import { seenOf, type RecordedTrace } from './views/index.ts';

/** One trace of a corpus. `name`: see `Case`. */
export interface CorpusTrace {
  readonly name: string;
  /** in which way it was made of the trace of that name; absent: it is that one */
  readonly view?: string;
  readonly trace: RecordedTrace;
}

export interface CorpusOptions {
  readonly seed: number;
  /** cases of each property on sound devices */
  readonly cases: number;
  readonly properties: readonly SuiteProperty[];
  readonly mutants: readonly Mutant[];
  /** part `i` of `n`, from 0 */
  readonly part: { readonly i: number; readonly n: number };
  /** whether to end early */
  readonly over?: () => boolean;
}

/** Cases on each mutant. */
const effort = { fewest: 4, most: 10, limit: 24 };

/** Takes a trace; gives the rules that are broken in it. */
type Take = (trace: CorpusTrace) => readonly string[];

function isAble({ capabilities }: Profile, { requires = [] }: SuiteProperty): boolean {
  return requires.every((word) => capabilities.includes(word));
}

/** Makes one part of a corpus. */
class Corpus {
  readonly #cases: Cases;
  readonly #options: CorpusOptions;
  readonly #take: Take;

  constructor(cases: Cases, options: CorpusOptions, take: Take) {
    this.#cases = cases;
    this.#options = options;
    this.#take = take;
  }

  /** Runs a case, and hands over its trace and another one that is made of it; rules that are broken in the first. */
  async #run(property: SuiteProperty, one: Case): Promise<readonly string[] | undefined> {
    if (this.#options.over?.() === true) return undefined;
    const name = caseName(one);
    const [first, ...others] = seenOf(await this.#cases.trace(property, one), name, wire);
    if (first === undefined) return [];
    const broken = this.#take({ name, trace: first.trace });
    for (const other of others) this.#take({ name, ...other });
    return broken;
  }

  #isMine(text: string): boolean {
    const { i, n } = this.#options.part;
    return hashOf(text) % n === i;
  }

  /** Cases on sound devices: every other one on the reference NIC as it is by default, the others on such with other choices. */
  async sound(): Promise<void> {
    const { seed, cases, properties } = this.#options;
    for (let index = 0; index < cases; index++) {
      for (const property of properties) {
        const turn = hashOf(property.id) + (index >> 1);
        const chosen = index % 2 === 0 ? '' : (choiceNames[turn % choiceNames.length] ?? '');
        const device = isAble(await this.#cases.profile(chosen), property) ? chosen : '';
        const one = { device, property: property.id, seed, index };
        if (this.#isMine(caseName(one))) await this.#run(property, one);
      }
    }
  }

  /** Aimed cases on every mutant. */
  async mutants(): Promise<void> {
    const { seed, properties, mutants } = this.#options;
    for (const { id, rules } of mutants) {
      if (!this.#isMine(id)) continue;
      const profile = await this.#cases.profile(id);
      const able = properties.filter((property) => isAble(profile, property));
      await aim(rules, able, effort, async (property, index) =>
        this.#run(property, { device: id, property: property.id, seed, index }),
      );
    }
  }
}

/** Hands over the traces of a part of a corpus: those of sound devices, of mutants, and others that are made of them. */
export async function makeCorpus(cases: Cases, options: CorpusOptions, take: Take): Promise<void> {
  const corpus = new Corpus(cases, options, take);
  await corpus.sound();
  await corpus.mutants();
}
