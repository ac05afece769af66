import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { QpState } from '../../spec/verbs.ts';
import type { Role, Step } from '../scenario.ts';

/** Through RESET to a new life. */
export const anew: readonly QpState[] = ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'];

/** Where ibv_modify_qp may take a QP in the middle of its work. */
const ways: readonly (readonly QpState[])[] = [
  ['IBV_QPS_ERR'],
  ['IBV_QPS_RESET'],
  anew,
  ['IBV_QPS_ERR', ...anew],
  ['IBV_QPS_SQD'],
  ['IBV_QPS_SQD', 'IBV_QPS_RTS'],
  ['IBV_QPS_SQD', 'IBV_QPS_ERR'],
  anew.slice(0, 3),
];

/** One of them; most lead to a new life. */
export function wayMidway(): fc.Arbitrary<readonly QpState[]> {
  return fc.oneof({ withCrossShrink: true }, fc.constantFrom(...ways), fc.constant(anew));
}

/** ibv_modify_qp through these states, one call behind the other, whatever is under way. */
export function throughMidway(at: Role, states: readonly QpState[]): Step[] {
  return states.map((state) => ({ do: 'modify_qp', at, state, midway: true }));
}

/** Whether a QP can send and receive again. */
export function works(states: readonly QpState[]): boolean {
  return states.at(-1) === 'IBV_QPS_RTS';
}

/** Before a call: a device may be about to look at the packets that have come, or be done with them, as it is most often. */
export function pause({ clock }: Pick<Profile, 'clock'>): fc.Arbitrary<Step[]> {
  const us = clock === 'virtual' ? 12 : 300;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant<Step[]>([{ do: 'sleep', us }]) },
    fc.constant<Step[]>([]),
  );
}
