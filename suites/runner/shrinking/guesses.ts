import type { Violation } from '../../../oracle/index.ts';
import type { DriveResult } from '../../driver/index.ts';
import type { Scenario } from '../../scenario.ts';

/** Steps up to the fault that may be enough to show it. */
const lastSteps = [1, 2, 3, 5, 8];

/** The scenario up to the step that was under way at the fault; undefined where that is unknown, or the last one. */
export function upToFault(
  scenario: Scenario,
  { event }: Pick<Violation, 'event'>,
  { events, steps = [] }: Pick<DriveResult, 'events' | 'steps'>,
): Scenario | undefined {
  const t = events[event]?.t;
  if (t === undefined || scenario.beside !== undefined) return undefined;
  const until = steps.filter((begun) => begun <= t).length;
  if (until === 0 || until >= scenario.steps.length) return undefined;
  return { ...scenario, steps: scenario.steps.slice(0, until) };
}

/** What is likely to show a fault as well, by where the fault stood, the shortest first. `upTo`: as of `upToFault` */
export function guessesOf(scenario: Scenario, upTo: Scenario | undefined): Scenario[] {
  if (scenario.beside !== undefined) return [];
  const { steps } = upTo ?? scenario;
  const few = lastSteps.filter((count) => count < steps.length);
  return [
    ...few.map((count) => ({ ...scenario, steps: steps.slice(-count) })),
    ...(upTo === undefined ? [] : [upTo]),
  ];
}
