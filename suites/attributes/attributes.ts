import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { attributeKeys, type AttributeKey } from '../../spec/qp-attributes.ts';
import { onGrid, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import {
  along,
  everyTransition,
  scenarios,
  transitions,
  wayTo,
  withAttr,
  type Move,
  type Transition,
} from './parts.ts';
import { attributes, inRange, isMigration, retransmission } from './values.ts';

const demanding = transitions.filter(({ required }) => required.length > 0);

/** One that retransmission depends on, most often; or several, of any kind. */
function left({ required }: Transition): fc.Arbitrary<AttributeKey[]> {
  const ours = required.filter((key) => retransmission.some((word) => word === key) || key.endsWith('_psn'));
  const one = fc.constantFrom(...(ours.length > 0 ? ours : required)).map((key) => [key]);
  return fc.oneof(
    { weight: 3, arbitrary: one },
    fc.subarray([...required], { minLength: 1, maxLength: required.length }),
  );
}

/** Of each transition, each attribute that it requires, left out alone. */
const lacks = new Map(
  demanding.map((transition): [Transition, Grid<AttributeKey[]>] => [
    transition,
    {
      name: `attribute left out, ${transition.from} to ${transition.to}`,
      cells: () => transition.required.map((key) => [key]),
      every: 2,
    },
  ]),
);

/** Attributes that a transition is made without. */
function without(transition: Transition, profile: Profile): fc.Arbitrary<AttributeKey[]> {
  const grid = lacks.get(transition);
  return grid === undefined ? left(transition) : onGrid(grid, profile, left(transition));
}

export const missing: SuiteProperty = {
  id: 'parameters/required-attributes',
  suite: 'parameters',
  says: 'A transition is refused that lacks an attribute which it requires, and leaves the QP as it was.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.tuple(
        ...demanding.map((transition) =>
          fc.record({
            transition: fc.constant(transition),
            omit: without(transition, profile),
            query: fc.boolean(),
          }),
        ),
      ),
      (calls) =>
        // The states that demand anything are all reached by way of RESET.
        calls.flatMap(({ transition, omit, query }): Move[] => [
          ...wayTo(transition.from),
          { ...along(transition, true), omit },
          ...(query ? (['query'] as const) : []),
          along(transition, true),
          'query',
        ]),
    ),
  grids: [...lacks.values()],
  aims: [
    'qp-modify-without-min-rnr-timer',
    'qp-modify-without-max-dest-rd-atomic',
    'qp-modify-without-timeout',
    'qp-modify-without-retry-cnt',
    'qp-modify-without-rnr-retry',
    'qp-modify-without-max-rd-atomic',
    'qp-modify-without-psn',
    'qp-modify-incomplete',
  ],
};

/** Attributes that a transition does not take. */
function foreignKeys({ required, optional }: Transition): AttributeKey[] {
  return attributeKeys.filter(
    (key) => !required.includes(key) && !optional.includes(key) && !isMigration(key),
  );
}

export const foreign: SuiteProperty = {
  id: 'parameters/foreign-attributes',
  suite: 'parameters',
  says: 'A call is refused that gives an attribute which its transition does not take, and changes nothing.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.constantFrom(...everyTransition).chain((transition) => {
        const ours = foreignKeys(transition).filter((key) => retransmission.some((word) => word === key));
        return fc.record({
          transition: fc.constant(transition),
          named: fc.boolean(),
          extra: fc.oneof(
            { weight: 2, arbitrary: attributes(ours, profile, { min: 1, max: 1 }) },
            attributes(foreignKeys(transition), profile, { min: 1, max: 2 }),
          ),
        });
      }),
      ({ transition, named, extra }) => [
        ...wayTo(transition.from),
        'query',
        withAttr(along(transition, named), extra),
        'query',
        along(transition, true),
        'query',
      ],
    ),
  aims: [
    'qp-modify-foreign-requester-attribute',
    'qp-modify-foreign-responder-attribute',
    'qp-modify-foreign-min-rnr-timer',
    'qp-modify-foreign-attribute',
  ],
};

const choosy = transitions.filter(({ optional }) => optional.some((key) => !isMigration(key)));

export const optional: SuiteProperty = {
  id: 'parameters/optional-attributes',
  suite: 'parameters',
  says: 'Parameters may be changed again wherever a transition takes them, and then read as they were set last.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.constantFrom(...choosy).chain((transition) => {
        const ours = transition.optional.filter((key) => retransmission.some((word) => word === key));
        return fc.record({
          transition: fc.constant(transition),
          named: fc.boolean(),
          again: fc.boolean(),
          extra: fc.oneof(attributes(transition.optional, profile, { min: 1, max: 3 }), {
            weight: 2,
            arbitrary: attributes(ours, profile, { min: 1, max: ours.length }),
          }),
          later: attributes(ours, profile, { min: 1, max: 2 }),
        });
      }),
      ({ transition, named, again, extra, later }) => [
        ...wayTo(transition.from),
        withAttr(along(transition, named), extra),
        'query',
        ...(again && transition.from === transition.to
          ? [withAttr(along(transition, !named), later), 'query' as const]
          : []),
      ],
    ),
  aims: ['qp-responder-parameters-accepted', 'qp-requester-parameters-accepted', 'qp-modify-plain-accepted'],
};

const taking = transitions.filter(({ required, optional: more }) =>
  [...required, ...more].some((key) => retransmission.some((word) => word === key)),
);

export const bounds: SuiteProperty = {
  id: 'parameters/bounds',
  suite: 'parameters',
  says: 'Every value in the range of a parameter is taken and given back.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.constantFrom(...taking).chain((transition) => {
        const keys = retransmission.filter((key) =>
          [...transition.required, ...transition.optional].includes(key),
        );
        return fc.record({
          transition: fc.constant(transition),
          values: fc
            .shuffledSubarray(keys, { minLength: 1 })
            .chain((chosen) =>
              fc.tuple(...chosen.map((key) => inRange(key, profile).map((value) => ({ [key]: value })))),
            ),
        });
      }),
      ({ transition, values }) => [
        ...wayTo(transition.from),
        withAttr(along(transition, true), Object.assign({}, ...values) as object),
        'query',
      ],
    ),
  aims: [
    'qp-timeout-bounds-accepted',
    'qp-retry-cnt-bounds-accepted',
    'qp-rnr-retry-bounds-accepted',
    'qp-min-rnr-timer-bounds-accepted',
    'qp-query-timeout',
    'qp-query-retry-cnt',
    'qp-query-rnr-retry',
    'qp-query-min-rnr-timer',
  ],
};
