import type { Scenario } from './scenario.ts';

/** A scenario without those beside it. */
export function alone({ beside: _, ...scenario }: Scenario): Scenario {
  return scenario;
}

/** All scenarios on the device, the first one without the others. */
export function membersOf(scenario: Scenario): readonly Scenario[] {
  return [alone(scenario), ...(scenario.beside?.members ?? [])];
}
