import type { Profile } from '../../adapters/adapter.ts';
import type { SuiteProperty } from '../property.ts';
import type { generateChunk } from '../runner/generate.ts';
import type { Scenario } from '../scenario.ts';

/** Cases of a property that are made together, so that a case does not depend on how many are asked for. */
const chunkSize = 20;

/** How many cases are tried on a mutant. */
export interface Effort {
  /** at least */
  readonly fewest: number;
  /** at most once one of its rules is broken */
  readonly most: number;
  /** after which it is given up */
  readonly limit: number;
}

/** Scenarios for a sound device, which are made once and tried on every mutant. */
export class Scenarios {
  readonly #generate: typeof generateChunk;
  readonly #profile: Profile;
  readonly #seed: number;
  readonly #made = new Map<SuiteProperty, Scenario[]>();

  constructor(generate: typeof generateChunk, profile: Profile, seed: number) {
    this.#generate = generate;
    this.#profile = profile;
    this.#seed = seed;
  }

  at(property: SuiteProperty, index: number): Scenario {
    const list = this.#made.get(property) ?? [];
    this.#made.set(property, list);
    while (list.length <= index) {
      const chunk = this.#generate(property, this.#profile, this.#seed, list.length / chunkSize, chunkSize);
      for (const { scenario } of chunk) list.push(scenario);
    }
    const scenario = list[index];
    if (scenario === undefined) throw new Error(`${property.id} makes no case ${index}`);
    return scenario;
  }
}

interface Turn {
  property: SuiteProperty;
  index: number;
}

/** Properties that aim at one of the rules. */
export function aimingAt(
  rules: readonly string[],
  properties: readonly SuiteProperty[],
): readonly SuiteProperty[] {
  return properties.filter(({ aims = [] }) => aims.some((id) => rules.includes(id)));
}

/** The first case of each property before the second of any; every other case from those that are aimed at. */
export function inTurns(
  properties: readonly SuiteProperty[],
  aiming: readonly SuiteProperty[],
): (number: number) => Turn | undefined {
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

/** Whether enough is seen of a mutant that is known to break `rules` after so many cases. */
function enough(
  rules: readonly string[],
  broken: ReadonlySet<string>,
  cases: number,
  { fewest, most, limit }: Effort,
): boolean {
  if (rules.length === 0) return cases >= most;
  if (rules.every((rule) => broken.has(rule))) return cases >= fewest;
  return cases >= (rules.some((rule) => broken.has(rule)) ? most : limit);
}

/**
 * Tries aimed cases on a mutant, until all rules that it is known to break were broken or it is given up. `take` runs the case of
 * this number of a property, and gives the rules that were broken in it; undefined to end here.
 */
export async function aim(
  rules: readonly string[],
  properties: readonly SuiteProperty[],
  effort: Effort,
  take: (property: SuiteProperty, index: number) => Promise<readonly string[] | undefined>,
): Promise<void> {
  const turn = inTurns(properties, aimingAt(rules, properties));
  const broken = new Set<string>();
  for (let number = 0; !enough(rules, broken, number, effort); number++) {
    const next = turn(number);
    const found = next && (await take(next.property, next.index));
    if (found === undefined) return;
    for (const rule of found) broken.add(rule);
  }
}
