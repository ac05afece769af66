import { aim, Scenarios } from '../../suites/corpus/aim.ts';
import type { SuiteProperty } from '../../suites/index.ts';
import type { Build, KnownMutant, MakingBuild } from './build.ts';
import type { Devices } from './devices.ts';
import type { Case, Held } from './hold.ts';
import type { Names } from './names.ts';

const effort = { fewest: 8, most: 40, limit: 400 };

function devicesOf(before: MakingBuild, after: Build, id: string, { mutants }: Names): Devices {
  return {
    before: before.referenceAdapter({ mutant: id }),
    after: after.referenceAdapter({ mutant: mutants.get(id) ?? id }),
  };
}

async function scenariosFor(build: MakingBuild, seed: number): Promise<Scenarios> {
  return new Scenarios(build.generateChunk, await build.referenceAdapter().describe(), seed);
}

/**
 * Aimed cases on every mutant, until all rules that it is known to break were broken or it is given up. `take` holds the builds
 * against each other on a case. Part `i` of `n` takes every n-th mutant.
 */
export async function aimedCases(
  builds: { before: MakingBuild; after: Build; names: Names },
  options: {
    seed: number;
    mutants: readonly KnownMutant[];
    properties: readonly SuiteProperty[];
    part: { i: number; n: number };
    /** whether to end early */
    over?: () => boolean;
  },
  take: (item: Case) => Promise<Held>,
): Promise<void> {
  const { before, after, names } = builds;
  const { seed, part } = options;
  const scenarios = await scenariosFor(before, seed);
  const mutants = options.mutants.filter((_, i) => i % part.n === part.i);
  for (const mutant of mutants) {
    if (options.over?.() === true) return;
    const devices = devicesOf(before, after, mutant.id, names);
    const { capabilities } = await devices.before.describe();
    const able = options.properties.filter(({ requires = [] }) =>
      requires.every((word) => capabilities.includes(word)),
    );
    await aim(mutant.rules, able, effort, async (property, index) => {
      if (options.over?.() === true) return undefined;
      const held = await take({
        name: `${mutant.id}:${property.id}/${seed}/${index}`,
        property: property.id,
        mutant: mutant.id,
        devices,
        scenario: scenarios.at(property, index),
      });
      return held.broken;
    });
  }
}

/** The case MUTANT:PROPERTY/SEED/INDEX. Throws an Error where there is none. */
export async function mutantCase(
  builds: { before: MakingBuild; after: Build; names: Names },
  name: string,
): Promise<Case> {
  const [, id = '', property, seed, index] = /^([^:]+):(.+)\/(-?\d+)\/(\d+)$/.exec(name) ?? [];
  const found = builds.before.properties.find((candidate) => candidate.id === property);
  if (found === undefined) throw new Error(`${name} is no case: MUTANT:PROPERTY/SEED/INDEX is wanted`);
  return {
    name,
    property: found.id,
    mutant: id,
    devices: devicesOf(builds.before, builds.after, id, builds.names),
    scenario: (await scenariosFor(builds.before, Number(seed))).at(found, Number(index)),
  };
}
