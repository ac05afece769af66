import fc from 'fast-check';
import type { QpAttr, QpState } from '../../spec/verbs.ts';
import type { SuiteProperty } from '../property.ts';
import type { AttrPlan, Role, Step } from '../scenario.ts';
import { post, query, receives, scenarios, settle, to, wrOf } from './parts.ts';

type Name = 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
const names: readonly Name[] = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'SQE', 'ERR'];
const stateOf = (name: Name): QpState => `IBV_QPS_${name}`;

/** How a QP comes from RTS to a state. */
function wayTo(at: Role, name: Name): Step[] {
  switch (name) {
    case 'RTS':
      return [];
    case 'RESET':
    case 'SQD':
    case 'ERR':
      return [to(at, stateOf(name))];
    case 'INIT':
      return [...wayTo(at, 'RESET'), to(at, 'IBV_QPS_INIT')];
    case 'RTR':
      return [...wayTo(at, 'INIT'), to(at, 'IBV_QPS_RTR')];
    case 'SQE':
      return [post(at, wrOf({ length: 8, signaled: true }, { localFault: 'lkey' })), settle];
  }
}

const extra: readonly AttrPlan[] = [
  { qkey: 0x1234 },
  { qp_access_flags: [] },
  { pkey_index: 0 },
  { port_num: 1 },
  { sq_psn: 7 },
  { rq_psn: 7 },
  { path_mtu: 1024 },
  { timeout: 14 },
  { retry_cnt: 3 },
  { min_rnr_timer: 12 },
  { max_rd_atomic: 1 },
  { dest_qp_num: 9 },
  { en_sqd_async_notify: true },
  { ah_attr: 'peer' },
];
const omitted: readonly (keyof QpAttr)[] = [
  'pkey_index',
  'port_num',
  'qp_access_flags',
  'qkey',
  'ah_attr',
  'path_mtu',
  'dest_qp_num',
  'rq_psn',
  'sq_psn',
];

const onwards: Readonly<Record<Name, Name>> = {
  RESET: 'INIT',
  INIT: 'RTR',
  RTR: 'RTS',
  RTS: 'SQD',
  SQD: 'RTS',
  SQE: 'RTS',
  ERR: 'RESET',
};

export const transitions: SuiteProperty = {
  id: 'verbs/transitions',
  suite: 'verbs',
  says: 'A UC or UD QP goes the ways of its service, with the attributes that they call for, and no others.',
  requires: ['ud'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      ['UC', 'UD'],
      fc.record({
        from: fc.constantFrom(...names),
        moves: fc.array(
          fc.record({
            to: fc.constantFrom(...names),
            kept: fc.boolean(),
            extra: fc.option(fc.constantFrom(...extra), { nil: undefined }),
            // what the next step on the way to RTS calls for
            onward: fc.boolean(),
            omit: fc.option(fc.constantFrom(...omitted), { nil: undefined }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        count: fc.nat(1),
      }),
      ({ service }, { from, moves, count }) => ({
        steps: [
          ...wayTo('requester', from),
          ...moves.flatMap(({ to: next, kept, onward, extra: drawn, omit }, i): Step[] => {
            const state = i > 0 ? next : onward ? onwards[from] : kept ? from : next;
            const attr = onward ? undefined : drawn;
            // the attributes planned for RTS are those from RTR
            const late = state === 'RTS' && !(i === 0 && from === 'RTR') ? (['sq_psn'] as const) : [];
            return [
              {
                do: 'modify_qp',
                at: 'requester',
                state: stateOf(state),
                ...(attr !== undefined && { attr }),
                omit: [...new Set([...late, ...(omit === undefined ? [] : [omit])])].filter(
                  (key) => attr === undefined || !Object.hasOwn(attr, key),
                ),
              },
              query,
            ];
          }),
          ...receives('requester', service, count),
          post('requester', wrOf({ length: 8, signaled: true })),
          settle,
          query,
        ],
      }),
    ),
  aims: [
    'unreliable-modify-accepted',
    'unreliable-modify-lacking',
    'unreliable-modify-surplus',
    'unreliable-modify-no-transition',
    'unreliable-recovers',
  ],
};
