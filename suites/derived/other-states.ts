import fc from 'fast-check';
import type { QpState } from '../../spec/verbs.ts';
import { drawnOf } from '../draw.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario, Step } from '../scenario.ts';
import { sourcesOf, type Machine } from './sources.ts';

/**
 * How the QP comes to be in another state than RTS. `rtr`: from the first step on; `rtr-rts`: likewise, and in RTS from a later
 * step on; `sqd`: from a step on; `sqd-rts`: likewise, and back in RTS from a later one on.
 */
type Way = 'rtr' | 'rtr-rts' | 'sqd' | 'sqd-rts';

const ofResponders: readonly Way[] = ['rtr', 'sqd', 'rtr-rts', 'sqd-rts'];
/** A requester in RTR sends nothing. */
const ofRequesters: readonly Way[] = ['sqd-rts', 'sqd'];

const toRtr: readonly QpState[] = ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'];

/** Where the calls are made, as shares 0..99 of the steps, and whether they wait for a rest. */
interface Moment {
  first: number;
  second: number;
  midway: boolean;
}

function elsewhere(scenario: Scenario, way: Way, { first, second, midway }: Moment): Scenario {
  const { steps, dut } = scenario;
  const to = (state: QpState): Step => ({
    do: 'modify_qp',
    at: dut,
    state,
    ...(midway && { midway: true }),
  });
  const placeOf = (share: number): number => Math.floor((share * (steps.length + 1)) / 100);
  const [early = 0, late = 0] = [placeOf(first), placeOf(second)].toSorted((a, b) => a - b);
  const anew = toRtr.map((state): Step => ({ do: 'modify_qp', at: dut, state }));
  switch (way) {
    case 'rtr':
      return { ...scenario, steps: [...anew, ...steps] };
    case 'rtr-rts':
      return { ...scenario, steps: [...anew, ...steps.toSpliced(late, 0, to('IBV_QPS_RTS'))] };
    case 'sqd':
      return { ...scenario, steps: steps.toSpliced(early, 0, to('IBV_QPS_SQD')) };
    case 'sqd-rts':
      return {
        ...scenario,
        steps: steps.toSpliced(late, 0, to('IBV_QPS_RTS')).toSpliced(early, 0, to('IBV_QPS_SQD')),
      };
  }
}

/** The cases of one machine, in the states in which it goes on as in RTS. */
export function otherStates(machine: Machine): SuiteProperty {
  const sources = sourcesOf(machine);
  // calls that race with packets of UC and UD have a property of their own
  const reliable = machine === 'rc-responder' || machine === 'rc-requester';
  return {
    id: `${machine}/other-states`,
    suite: machine,
    ...(machine === 'rc-responder' && { share: 2 }),
    ...(!reliable && { requires: [machine] }),
    says:
      machine === 'rc-requester'
        ? 'In SQD a requester ends what it has begun, whatever is answered; back in RTS it goes on with the rest.'
        : 'Whatever comes in RTR or SQD is taken, refused or dropped as in RTS.',
    arbitrary: (profile) =>
      fc
        .record({
          scenario: drawnOf(sources, profile),
          responds: fc.constantFrom(...ofResponders),
          requests: fc.constantFrom(...ofRequesters),
          first: fc.nat(99),
          second: fc.nat(99),
          midway: fc.boolean(),
        })
        .map(({ scenario, responds, requests, midway, ...shares }) =>
          elsewhere(scenario, scenario.dut === 'responder' ? responds : requests, {
            ...shares,
            midway: midway && reliable,
          }),
        ),
    aims: aims[machine] ?? [],
  };
}

const aims: Partial<Record<Machine, readonly string[]>> = {
  'rc-responder': ['rc-established', 'rc-established-undue', 'rc-request-expected', 'rc-request-ahead'],
  'rc-requester': ['rc-request-drained', 'rc-send-queue-goes-on', 'rc-rnr-wait-endless'],
  uc: ['uc-receive-completes', 'unreliable-sent-unposted'],
  ud: ['ud-receive-completes', 'unreliable-sent-unposted'],
};
