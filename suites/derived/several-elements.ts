import fc from 'fast-check';
import { drawnOf } from '../draw.ts';
import { mostElements } from '../lists/values.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario, Step } from '../scenario.ts';
import { sourcesOf, type Machine } from './sources.ts';

/** The same work request with its memory in so many places, or as it is, where it is nowhere, or in one place by its kind. */
function inParts(step: Step, elements: number, atomics: boolean): Step {
  const { do: kind } = step;
  if (kind === 'post_recv')
    return step.length > 1 && step.again !== true && step.sges === undefined
      ? { ...step, sges: Math.min(elements, step.length) }
      : step;
  if (kind !== 'post_send') return step;
  const { wr } = step;
  // inline data have no memory of their own, and many devices take one place for the result of an ATOMIC
  const fixed = wr.inline === true || wr.repeat !== undefined || (!atomics && wr.opcode.includes('ATOMIC'));
  return wr.length > 1 && wr.sges === undefined && !fixed
    ? { ...step, wr: { ...wr, sges: Math.min(elements, wr.length) } }
    : step;
}

function spread(scenario: Scenario, elements: readonly number[], atomics: boolean): Scenario {
  if (scenario.requester.maxSge !== undefined || scenario.responder.maxSge !== undefined) return scenario;
  return {
    ...scenario,
    steps: scenario.steps.map((step, i) => inParts(step, elements[i % elements.length] ?? 2, atomics)),
  };
}

const aims: Partial<Record<Machine, readonly string[]>> = {
  'rc-responder': ['rc-memory-written', 'rc-receive-length'],
  'rc-requester': ['rc-request-payload', 'rc-repeat-same', 'rc-memory-fetched'],
  uc: ['uc-receive-length', 'unreliable-request-payload'],
  ooo: ['ooo-memory-whole', 'ooo-memory-fetched'],
};

/** The cases of one machine, with the memory of their work requests in several places. */
export function severalElements(machine: Machine): SuiteProperty {
  const sources = sourcesOf(machine);
  return {
    id: `${machine}/several-elements`,
    suite: machine,
    ...(machine === 'uc' || machine === 'ooo' ? { requires: [machine] } : {}),
    says: 'Whatever happens to a message, its bytes come from all elements of a list, and go to all, in their order.',
    arbitrary: (profile) =>
      fc
        .record({
          scenario: drawnOf(sources, profile),
          elements: fc.array(
            fc.oneof(
              { weight: 2, arbitrary: fc.integer({ min: 2, max: 4 }) },
              fc.integer({ min: 2, max: mostElements(profile) }),
              fc.constant(mostElements(profile)),
            ),
            { minLength: 3, maxLength: 5 },
          ),
        })
        .map(({ scenario, elements }) =>
          spread(scenario, elements, profile.capabilities.includes('atomic-lists')),
        ),
    aims: aims[machine] ?? [],
  };
}
