import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { cellOf, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import { attributeKeys } from '../../spec/qp-attributes.ts';
import {
  along,
  scenarios,
  stateOf,
  transitions,
  wayTo,
  withAttr,
  type Move,
  type StateName,
} from './parts.ts';
import { attributes, outOfRange, retransmission } from './values.ts';

const states: readonly StateName[] = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'ERR'];

/** Every state after every state. */
const ways: Grid<[StateName, StateName]> = { name: 'state after state', cells: () => pairs(states, states) };

export const wrongState: SuiteProperty = {
  id: 'parameters/wrong-state',
  suite: 'parameters',
  says: 'A QP goes only the ways that an RC QP has; elsewhere a call is refused, whatever its attributes.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        from: fc.constantFrom(...states),
        to: fc.array(
          fc.record({ state: fc.constantFrom(...states), named: fc.constantFrom(undefined, ...states) }),
          { minLength: 1, maxLength: 3 },
        ),
        name: fc.boolean(),
        cell: cellOf(ways, profile),
      }),
      ({ from, to, name, cell }) => [
        ...wayTo(cell?.[0] ?? from),
        ...(cell === undefined ? to : [{ state: cell[1], named: undefined }, ...to]).flatMap(
          ({ state, named }): Move[] => [
            withAttr(
              { state: stateOf(state) },
              name && named !== undefined ? { cur_qp_state: stateOf(named) } : {},
            ),
            'query',
          ],
        ),
      ],
    ),
  grids: [ways],
  aims: ['qp-modify-no-transition', 'qp-modify-plain-accepted'],
};

export const keptState: SuiteProperty = {
  id: 'parameters/kept-state',
  suite: 'parameters',
  says: 'A call that names no state is held against what the state of the QP takes, like any other.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        state: fc.constantFrom(...states),
        attr: fc.oneof(
          attributes(retransmission, profile, { min: 1, max: 1 }),
          attributes(attributeKeys, profile, { min: 1, max: 2 }),
        ),
      }),
      ({ state, attr }) => [...wayTo(state), { attr }, 'query'],
    ),
  aims: [
    'qp-modify-no-transition',
    'qp-modify-foreign-requester-attribute',
    'qp-modify-foreign-responder-attribute',
    'qp-modify-foreign-min-rnr-timer',
    'qp-modify-foreign-attribute',
  ],
};

/** One call: mostly what the state that the QP should be in calls for, else anything. */
type Turn =
  | { kind: 'onward' | 'back' | 'query' }
  | { kind: 'change'; attr: object }
  | { kind: 'any'; state: StateName | undefined; attr: object; omit: boolean };

function turn(profile: Profile): fc.Arbitrary<Turn> {
  const values = fc
    .constantFrom(...retransmission)
    .chain((key) => outOfRange(key, profile).map((value) => ({ [key]: value })));
  const few = attributes(attributeKeys, profile, { min: 0, max: 2 });
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant<Turn>({ kind: 'onward' }) },
    { weight: 3, arbitrary: fc.constant<Turn>({ kind: 'query' }) },
    { weight: 1, arbitrary: fc.constant<Turn>({ kind: 'back' }) },
    {
      weight: 3,
      arbitrary: attributes(retransmission, profile, { min: 1, max: 3 }).map((attr): Turn => ({
        kind: 'change',
        attr,
      })),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant<'any'>('any'),
        state: fc.constantFrom(undefined, ...states),
        attr: fc.oneof(few, values),
        omit: fc.boolean(),
      }),
    },
  );
}

/** Where a QP goes that is led on. */
const onward: Readonly<Record<StateName, StateName>> = {
  RESET: 'INIT',
  INIT: 'RTR',
  RTR: 'RTS',
  RTS: 'SQD',
  SQD: 'RTS',
  ERR: 'RESET',
};

function movesOf(turns: readonly Turn[]): Move[] {
  let state: StateName = 'RESET';
  const moves: Move[] = [{ state: stateOf('RESET') }];
  for (const next of turns) {
    switch (next.kind) {
      case 'query':
        moves.push('query');
        break;
      case 'onward':
      case 'back': {
        const to: StateName = next.kind === 'back' ? 'RESET' : onward[state];
        const transition = transitions.find((t) => t.from === state && t.to === to);
        moves.push(transition === undefined ? { state: stateOf(to) } : along(transition, true));
        state = to;
        break;
      }
      case 'change':
        moves.push({ attr: next.attr });
        break;
      case 'any':
        moves.push({
          ...(next.state !== undefined && { state: stateOf(next.state) }),
          attr: next.attr,
          ...(next.omit && { omit: ['min_rnr_timer', 'retry_cnt'] }),
        });
    }
  }
  return [...moves, 'query'];
}

export const walk: SuiteProperty = {
  id: 'parameters/walk',
  suite: 'parameters',
  says: 'Along any sequence of calls, refused ones among them, parameters read as the last call that was taken set them.',
  arbitrary: (profile) =>
    scenarios(profile, fc.array(turn(profile), { minLength: 4, maxLength: 14, size: 'max' }), movesOf),
  aims: [
    'qp-query-timeout',
    'qp-query-retry-cnt',
    'qp-query-rnr-retry',
    'qp-query-min-rnr-timer',
    'qp-query-psn',
    'qp-query-rights',
    'qp-query-port',
  ],
};
