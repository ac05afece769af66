import type { Adapter } from '../../adapters/index.ts';
import type { Scenario, SuiteProperty } from '../../suites/index.ts';
import type { Build, KnownMutant, MakingBuild } from './build.ts';
import type { Devices } from './devices.ts';
import { scenariosOf } from './generated.ts';
import type { Case, Held } from './hold.ts';
import type { Names } from './names.ts';

/** Cases of each mutant that are run at least, and at most once one of its rules is broken. */
const fewest = 8;
const most = 40;
/** Cases after which a mutant is given up. */
const limit = 400;

function devicesOf(before: MakingBuild, after: Build, id: string, { mutants }: Names): Devices {
  return {
    before: before.referenceAdapter({ mutant: id }),
    after: after.referenceAdapter({ mutant: mutants.get(id) ?? id }),
  };
}

/** Scenarios for a sound device, which are made once and tried on every mutant. */
class Scenarios {
  private readonly build: MakingBuild;
  private readonly seed: number;
  private readonly made = new Map<SuiteProperty, Scenario[]>();
  private readonly sound: Adapter;

  constructor(build: MakingBuild, seed: number) {
    this.build = build;
    this.seed = seed;
    this.sound = build.referenceAdapter();
  }

  async at(property: SuiteProperty, index: number): Promise<Scenario> {
    const list = this.made.get(property) ?? [];
    this.made.set(property, list);
    // one profile, so that a generator is built once
    this.profile ??= await this.sound.describe();
    for (let chunk = 0; list.length <= index; chunk++) {
      const made = scenariosOf(this.build, property, this.profile, this.seed, chunk);
      list.splice(chunk * made.length, made.length, ...made);
    }
    const scenario = list[index];
    if (scenario === undefined) throw new Error(`${property.id} makes no case ${index}`);
    return scenario;
  }

  private profile: Awaited<ReturnType<Adapter['describe']>> | undefined;
}

interface Turn {
  property: SuiteProperty;
  index: number;
}

/** A case of each property in turn, and every other case from the properties that aim at one of the rules. */
function inTurns(
  properties: readonly SuiteProperty[],
  rules: readonly string[],
): (number: number) => Turn | undefined {
  const aiming = properties.filter(({ aims = [] }) => aims.some((id) => rules.includes(id)));
  const others = properties.filter((property) => !aiming.includes(property));
  const turn = (number: number, of: readonly SuiteProperty[]): Turn | undefined => {
    const property = of[number % of.length];
    return property && { property, index: Math.floor(number / of.length) };
  };
  return (number) => {
    if (aiming.length === 0 || others.length === 0) return turn(number, properties);
    return turn(number >> 1, number % 2 === 0 ? aiming : others);
  };
}

/** Whether enough is seen of a mutant after so many cases. */
function enough({ rules }: KnownMutant, broken: ReadonlySet<string>, cases: number): boolean {
  if (rules.length === 0) return cases >= most;
  if (rules.every((rule) => broken.has(rule))) return cases >= fewest;
  return cases >= (rules.some((rule) => broken.has(rule)) ? most : limit);
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
  const scenarios = new Scenarios(before, seed);
  const mutants = options.mutants.filter((_, i) => i % part.n === part.i);
  for (const mutant of mutants) {
    if (options.over?.() === true) return;
    const devices = devicesOf(before, after, mutant.id, names);
    const { capabilities } = await devices.before.describe();
    const able = options.properties.filter(({ requires = [] }) =>
      requires.every((word) => capabilities.includes(word)),
    );
    const turn = inTurns(able, mutant.rules);
    const broken = new Set<string>();
    for (let number = 0; !enough(mutant, broken, number); number++) {
      const next = turn(number);
      if (next === undefined) break;
      const { property, index } = next;
      const held = await take({
        name: `${mutant.id}:${property.id}/${seed}/${index}`,
        property: property.id,
        mutant: mutant.id,
        devices,
        scenario: await scenarios.at(property, index),
      });
      if (options.over?.() === true) return;
      for (const rule of held.broken) broken.add(rule);
    }
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
    scenario: await new Scenarios(builds.before, Number(seed)).at(found, Number(index)),
  };
}
