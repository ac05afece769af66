import type { Member, Scenario } from './scenario.ts';

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
