import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import { along, scenarios, stateOf, transitions, wayTo, withAttr, type Move } from './parts.ts';
import { inRange, outOfRange, retransmission } from './values.ts';

/** From whatever state, with all parameters as planned. */
const toRts: readonly Move[] = (['RESET', 'INIT', 'RTR', 'RTS'] as const).map((name) => ({
  state: stateOf(name),
}));

/** Transitions with the parameters that each takes. */
const takers = transitions
  .map((transition) => ({
    transition,
    keys: retransmission.filter((key) => [...transition.required, ...transition.optional].includes(key)),
  }))
  .filter(({ keys }) => keys.length > 0);

export const elsewhere: SuiteProperty = {
  id: 'parameters/other-out-of-range',
  suite: 'parameters',
  says: 'A P_Key index or a port that a device may lack is refused or taken, and then replaced by one that it has.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.oneof(
        fc.constantFrom(0xffff, 0x8000).map((index) => ({ pkey_index: index })),
        fc.constantFrom(0, 2, 255).map((port) => ({ port_num: port })),
      ),
      (attr) => [
        ...wayTo('RESET'),
        { state: stateOf('INIT'), attr },
        ...wayTo('RESET'),
        { state: stateOf('INIT') },
        'query',
      ],
    ),
  aims: ['qp-value-beyond-range', 'qp-modify-attributes-fit'],
};

export const beyond: SuiteProperty = {
  id: 'parameters/out-of-range',
  suite: 'parameters',
  says: 'A value beyond the range of its parameter is refused or cut to it, and one beyond the limit of the device is refused.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.array(
        fc.constantFrom(...takers).chain(({ transition, keys }) =>
          fc.constantFrom(...keys).chain((key) =>
            fc.record({
              transition: fc.constant(transition),
              key: fc.constant(key),
              before: inRange(key, profile),
              value: outOfRange(key, profile),
            }),
          ),
        ),
        { minLength: 2, maxLength: 4, size: 'max' },
      ),
      (calls) =>
        calls.flatMap(({ transition, key, before, value }, i): Move[] => [
          ...(i === 0 ? [] : toRts),
          ...wayTo(transition.from),
          // a value that must survive the refusal, where the transition can be made twice
          ...(transition.from === transition.to ? [{ attr: { [key]: before } }] : []),
          withAttr(along(transition, true), { [key]: value }),
          'query',
          along(transition, true),
          'query',
        ]),
    ),
  aims: [
    'qp-max-dest-rd-atomic-beyond-limit',
    'qp-max-rd-atomic-beyond-limit',
    'qp-query-timeout-beyond-range',
    'qp-query-retry-cnt-beyond-range',
    'qp-query-rnr-retry-beyond-range',
    'qp-query-min-rnr-timer-beyond-range',
  ],
};
