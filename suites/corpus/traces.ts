import type { Adapter, Profile } from '../../adapters/adapter.ts';
import { defaultConfig, referenceAdapter, soundIds } from '../../adapters/reference/index.ts';
import * as wire from '../../wire/index.ts';
import { BenchSession } from '../driver/index.ts';
import type { Mutant } from '../mutants/index.ts';
import type { SuiteProperty } from '../property.ts';
import { generateChunk } from '../runner/generate.ts';
import { aim, Scenarios } from './aim.ts';
import { choicesOf } from './choices.ts';
import { drive } from './drive.ts';
import { seenOf, type RecordedTrace } from './views/index.ts';

/** One trace of a corpus. `name`: MUTANT:PROPERTY/SEED/INDEX, without the mutant where the device was sound. */
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
  readonly #options: CorpusOptions;
  readonly #take: Take;

  constructor(options: CorpusOptions, take: Take) {
    this.#options = options;
    this.#take = take;
  }

  /** Runs a scenario, and hands over its trace and another one that is made of it; rules that are broken in the first. */
  async #run(
    name: string,
    adapter: Adapter,
    at: Parameters<Scenarios['at']>,
    scenarios: Scenarios,
  ): Promise<readonly string[]> {
    const driven = await drive({ BenchSession }, adapter, scenarios.at(...at));
    const [first, ...others] = seenOf(driven.drive, name, wire);
    if (first === undefined) return [];
    const broken = this.#take({ name, trace: first.trace });
    for (const other of others) this.#take({ name, ...other });
    return broken;
  }

  /** Cases on sound devices: every other one on the reference NIC as it is by default, the others on such with other choices. */
  async sound(): Promise<void> {
    const { seed, cases, properties, part } = this.#options;
    const devices = [
      ...[{}, ...choicesOf(defaultConfig)].map((responder) => referenceAdapter({ responder })),
      ...soundIds.map((sound) => referenceAdapter({ sound })),
    ];
    const profiles = await Promise.all(devices.map(async (device) => device.describe()));
    const scenarios = profiles.map((profile) => new Scenarios(generateChunk, profile, seed));
    for (let index = 0; index < cases; index++) {
      for (const [at, property] of properties.entries()) {
        if ((at + (index >> 1)) % part.n !== part.i) continue;
        const chosen = index % 2 === 0 ? 0 : 1 + ((at + (index >> 1)) % (devices.length - 1));
        const profile = profiles[chosen];
        const which = profile !== undefined && isAble(profile, property) ? chosen : 0;
        const [device, made] = [devices[which], scenarios[which]];
        if (device === undefined || made === undefined) continue;
        await this.#run(`${property.id}/${seed}/${index}`, device, [property, index], made);
      }
    }
  }

  /** Aimed cases on every mutant. */
  async mutants(): Promise<void> {
    const { seed, properties, mutants, part } = this.#options;
    const scenarios = new Scenarios(generateChunk, await referenceAdapter().describe(), seed);
    for (const { id, rules } of mutants.filter((_, i) => i % part.n === part.i)) {
      const adapter = referenceAdapter({ mutant: id });
      const profile = await adapter.describe();
      const able = properties.filter((property) => isAble(profile, property));
      await aim(rules, able, effort, async (property, index) =>
        this.#run(`${id}:${property.id}/${seed}/${index}`, adapter, [property, index], scenarios),
      );
    }
  }
}

/** Hands over the traces of a part of a corpus: those of sound devices, of mutants, and others that are made of them. */
export async function makeCorpus(options: CorpusOptions, take: Take): Promise<void> {
  const corpus = new Corpus(options, take);
  await corpus.sound();
  await corpus.mutants();
}
