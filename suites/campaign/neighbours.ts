import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { opcodes } from '../../spec/constants.ts';
import { parseScenario } from '../case/index.ts';
import type { SuiteProperty } from '../property.ts';
import { fitsAsWell } from '../runner/fits.ts';
import { varied } from '../runner/vary/variations.ts';
import type { Scenario } from '../scenario.ts';

/** Draws a whole number from 0 to `below` - 1. */
type Draw = (below: number) => number;

/** The most that one case differs from the one that was kept. */
const mostChanges = 3;
/** Of so many changes one is of a step as a whole, the others of a value. */
const stepOf = 3;

const opcodeNames: ReadonlySet<string> = new Set(opcodes.map((opcode) => opcode?.name ?? ''));

/** Whether the packets that are made are of operations that the service has: what becomes of others, a rule of its own says. */
function isSettled({ service = 'RC', steps }: Scenario): boolean {
  return steps.every((step) => {
    if (step.do !== 'inject' || typeof step.packet.operation === 'number') return true;
    return opcodeNames.has(`${service}_${step.packet.operation}`);
  });
}

/** Steps that stand by themselves: whatever else there is can do with one more or one less. */
const byThemselves: ReadonlySet<string> = new Set(['inject', 'post_send', 'post_recv', 'sleep', 'settle']);

/** The same steps with one left out, one twice, or two the other way round. */
function stepChanged({ steps }: Scenario, draw: Draw): Scenario['steps'] {
  const at = draw(steps.length);
  const [step, next] = [steps[at], steps[at + 1]];
  if (step === undefined || !byThemselves.has(step.do)) return steps;
  const kind = draw(3);
  if (kind === 0) return steps.filter((_, i) => i !== at);
  if (kind === 1 || next === undefined || !byThemselves.has(next.do)) return steps.toSpliced(at, 0, step);
  return steps.toSpliced(at, 2, next, step);
}

function changed(scenario: Scenario, profile: Profile, draw: Draw): Scenario {
  // packets of an out-of-order QP carry numbers, and the documents say nothing of a peer whose numbers are wrong
  if (scenario.ooo === true) return scenario;
  if (draw(stepOf) > 0) {
    const made = varied(scenario, profile, draw);
    return made !== undefined && isSettled(made) ? made : scenario;
  }
  try {
    const made = parseScenario({ ...scenario, steps: stepChanged(scenario, draw) });
    return fitsAsWell(made, scenario, profile) && isSettled(made) ? made : scenario;
  } catch {
    // a step that needs the one that was left out
    return scenario;
  }
}

/** Draws from a list of numbers, again from its start where it is too short. */
function drawFrom(numbers: readonly number[]): Draw {
  let at = 0;
  return (below) => (below > 0 ? (numbers[at++ % numbers.length] ?? 0) % below : 0);
}

/**
 * A property whose cases are those kept, each changed a little: what showed something new is more likely to have something new beside it.
 * `share`: cases that it gets for each one of another property.
 */
export function neighbours(kept: readonly Scenario[], share: number): SuiteProperty {
  return {
    id: 'campaign/neighbours',
    suite: 'campaign',
    says: 'Cases that showed something new, changed a little, break no rule.',
    // what was kept ran on this device, with whatever wire it has
    wire: 'none',
    share,
    arbitrary: (profile) =>
      fc
        .tuple(
          fc.nat({ max: kept.length - 1 }),
          fc.integer({ min: 1, max: mostChanges }),
          fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
        )
        .map(([index, changes, numbers]) => {
          const draw = drawFrom(numbers);
          let made = kept[index];
          if (made === undefined) throw new Error('nothing was kept');
          for (let i = 0; i < changes; i++) made = changed(made, profile, draw);
          return made;
        }),
  };
}
