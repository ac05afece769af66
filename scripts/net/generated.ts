import type { Profile } from '../../adapters/index.ts';
import type { Scenario, SuiteProperty } from '../../suites/index.ts';
import type { Build } from './build.ts';

const chunkSize = 20;

/** One generated scenario, and how to make it again. */
export interface Case {
  property: string;
  seed: number;
  /** from 0, among the cases of its property and seed */
  index: number;
  scenario: Scenario;
}

/** So many cases: a chunk of each property in turn. Part `i` of `n` takes every n-th chunk. */
export function* generatedCases(
  build: Build,
  properties: readonly SuiteProperty[],
  profile: Profile,
  options: { seed: number; cases: number; part: { i: number; n: number } },
): Generator<Case> {
  const { seed, cases, part } = options;
  const per = Math.ceil(cases / properties.length);
  let left = cases;
  let number = 0;
  for (let chunk = 0; chunk * chunkSize < per; chunk++) {
    for (const property of properties) {
      const count = Math.min(chunkSize, per - chunk * chunkSize, left);
      if (count <= 0) return;
      left -= count;
      if (number++ % part.n !== part.i) continue;
      yield* chunkOf(build, property, profile, seed, chunk, count);
    }
  }
}

function* chunkOf(
  build: Build,
  property: SuiteProperty,
  profile: Profile,
  seed: number,
  chunk: number,
  count: number,
): Generator<Case> {
  // whole chunks, so that a case does not depend on how many are asked for
  const made = build.generateChunk(property, profile, seed, chunk, chunkSize);
  for (const [i, { scenario }] of made.slice(0, count).entries())
    yield { property: property.id, seed, index: chunk * chunkSize + i, scenario };
}

/** The case PROPERTY/SEED/INDEX. Throws an Error where there is none. */
export function caseOf(build: Build, name: string, profile: Profile): Case {
  const [, id, seed, index] = /^(.+)\/(-?\d+)\/(\d+)$/.exec(name) ?? [];
  const property = build.properties.find((candidate) => candidate.id === id);
  if (property === undefined) throw new Error(`${name} is no case: PROPERTY/SEED/INDEX is wanted`);
  const [chunk, place] = [Math.floor(Number(index) / chunkSize), Number(index) % chunkSize];
  const found = [...chunkOf(build, property, profile, Number(seed), chunk, chunkSize)][place];
  if (found === undefined) throw new Error(`there is no case ${name}`);
  return found;
}
