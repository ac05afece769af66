import type { Profile } from '../../adapters/index.ts';
import type { Scenario, SuiteProperty } from '../../suites/index.ts';
import type { MakingBuild } from './build.ts';
import type { Devices } from './devices.ts';
import type { Case } from './hold.ts';

/** Cases of a property that are made together. */
const chunkSize = 20;

/** Scenarios of a property, each a function of property, profile, seed and its place. */
export function scenariosOf(
  build: MakingBuild,
  property: SuiteProperty,
  profile: Profile,
  seed: number,
  chunk: number,
): Scenario[] {
  // whole chunks, so that a case does not depend on how many are asked for
  return build.generateChunk(property, profile, seed, chunk, chunkSize).map(({ scenario }) => scenario);
}

/** What cases are made from. */
export interface Source {
  build: MakingBuild;
  /** devices to run them on; every other chunk goes to one of those behind the first, if it can do it */
  devices: readonly Devices[];
  properties: readonly SuiteProperty[];
}

async function isAble({ before }: Devices, property: SuiteProperty | undefined): Promise<boolean> {
  const { capabilities } = await before.describe();
  return property?.requires?.every((word) => capabilities.includes(word)) ?? true;
}

async function chunkOf(
  { build, devices, properties }: Source,
  at: number,
  seed: number,
  chunk: number,
): Promise<Case[]> {
  const property = properties[at];
  const [first, ...others] = devices;
  const other = chunk % 2 === 0 ? undefined : others[(at + (chunk >> 1)) % others.length];
  const on = other !== undefined && (await isAble(other, property)) ? other : first;
  if (property === undefined || on === undefined) return [];
  const profile = await on.before.describe();
  return scenariosOf(build, property, profile, seed, chunk).map((scenario, i) => ({
    name: `${property.id}/${seed}/${chunk * chunkSize + i}`,
    property: property.id,
    devices: on,
    scenario,
  }));
}

/** So many cases: a chunk of each property in turn. Part `i` of `n` takes every n-th chunk. */
export async function* generatedCases(
  source: Source,
  options: { seed: number; cases: number; part: { i: number; n: number } },
): AsyncGenerator<Case> {
  const { seed, cases, part } = options;
  const { length } = source.properties;
  const per = Math.ceil(cases / length);
  let left = cases;
  let number = 0;
  for (let chunk = 0; chunk * chunkSize < per; chunk++) {
    for (let at = 0; at < length; at++) {
      const count = Math.min(chunkSize, per - chunk * chunkSize, left);
      if (count <= 0) return;
      left -= count;
      if (number++ % part.n === part.i) yield* (await chunkOf(source, at, seed, chunk)).slice(0, count);
    }
  }
}

/** The case PROPERTY/SEED/INDEX; `source` has all properties. Throws an Error where there is none. */
export async function caseOf(source: Source, name: string): Promise<Case> {
  const [, id, seed, index] = /^(.+)\/(-?\d+)\/(\d+)$/.exec(name) ?? [];
  const at = source.properties.findIndex((property) => property.id === id);
  if (at < 0)
    throw new Error(`${name} is no case: PROPERTY/SEED/INDEX or MUTANT:PROPERTY/SEED/INDEX is wanted`);
  const made = await chunkOf(source, at, Number(seed), Math.floor(Number(index) / chunkSize));
  const found = made[Number(index) % chunkSize];
  if (found === undefined) throw new Error(`there is no case ${name}`);
  return found;
}
