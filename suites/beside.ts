import type { BesidePlan, Member, Scenario } from './scenario.ts';

/** A scenario without those beside it. */
export function alone(scenario: Scenario): Scenario {
  const { beside: _, ...one } = scenario;
  return one;
}

/** What a scenario is beside others: it talks to its own far end, without a switch on the way. */
export function asMember(scenario: Scenario): Member {
  const { path: _, peer, ...one } = alone(scenario);
  return { ...one, ...(peer === 'scripted' && { peer }) };
}

/** All scenarios on the device, the first one without the others. */
export function membersOf(scenario: Scenario): readonly Scenario[] {
  return [alone(scenario), ...(scenario.beside?.members ?? [])];
}

/** Scenarios on one device, the first of which holds the others; throws an Error where there is none. */
export function sideBySide(made: readonly Member[], plan: Omit<BesidePlan, 'members'>): Scenario {
  const [first, ...members] = made;
  if (first === undefined) throw new Error('no scenario is made');
  return { ...first, beside: { members, ...plan } };
}

/** Places of scenarios, of which each takes so many first steps before the next one begins. */
export function oneByOne(made: readonly { begins: number }[]): number[] {
  return made.flatMap(({ begins }, who) => Array<number>(begins).fill(who));
}
