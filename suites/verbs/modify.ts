import fc from 'fast-check';
import type { QpAttr, QpState } from '../../spec/verbs.ts';
import type { SuiteProperty } from '../property.ts';
import type { AttrPlan, Role, Step } from '../scenario.ts';
import { post, query, receives, scenarios, settle, to, wrOf, type Service } from './parts.ts';

type Name = 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
const at: Role = 'requester';
const names: readonly Name[] = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'SQE', 'ERR'];
const stateOf = (name: Name): QpState => `IBV_QPS_${name}`;

/** How a QP comes from RTS to a state. */
function wayTo(name: Name): Step[] {
  switch (name) {
    case 'RTS':
      return [];
    case 'RESET':
    case 'SQD':
    case 'ERR':
      return [to(at, stateOf(name))];
    case 'INIT':
      return [...wayTo('RESET'), to(at, 'IBV_QPS_INIT')];
    case 'RTR':
      return [...wayTo('INIT'), to(at, 'IBV_QPS_RTR')];
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
/** Attributes that the way to the next state calls for. */
function called(service: Service, from: Name): readonly (keyof QpAttr)[] {
  switch (from) {
    case 'RESET':
      return ['pkey_index', 'port_num', service === 'UC' ? 'qp_access_flags' : 'qkey'];
    case 'INIT':
      return service === 'UC' ? ['ah_attr', 'path_mtu', 'dest_qp_num', 'rq_psn'] : [];
    case 'RTR':
      return ['sq_psn'];
    case 'RTS':
    case 'SQD':
    case 'SQE':
    case 'ERR':
      return [];
  }
}

const onwards: Readonly<Record<Name, Name>> = {
  RESET: 'INIT',
  INIT: 'RTR',
  RTR: 'RTS',
  RTS: 'SQD',
  SQD: 'RTS',
  SQE: 'RTS',
  ERR: 'RESET',
};

/** The call that asks for a state, with the attributes planned for it but those of `omit`; `from` where it is known. */
function call(state: Name, from: Name | undefined, omit: (keyof QpAttr)[] = [], attr?: AttrPlan): Step {
  // the attributes planned for RTS are those from RTR
  const late: (keyof QpAttr)[] = state === 'RTS' && from !== 'RTR' ? ['sq_psn'] : [];
  const left = [...late, ...omit].filter((key) => attr === undefined || !Object.hasOwn(attr, key));
  return { do: 'modify_qp', at, state: stateOf(state), ...(attr !== undefined && { attr }), omit: left };
}

export const transitions: SuiteProperty = {
  id: 'verbs/transitions',
  suite: 'verbs',
  says: 'A UC or UD QP goes the ways of its service, with the attributes that they call for, and no others.',
  requires: ['ud'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['UC', 'UD'],
      fc.record({
        from: fc.oneof(
          fc.constantFrom(...names),
          fc.constantFrom('RESET' as const, 'INIT' as const, 'RTR' as const),
        ),
        lacks: fc.option(fc.nat(3), { nil: undefined, freq: 3 }),
        onward: fc.boolean(),
        moves: fc.array(
          fc.record({
            to: fc.constantFrom(...names),
            kept: fc.boolean(),
            extra: fc.option(fc.constantFrom(...extra), { nil: undefined }),
          }),
          { maxLength: 3 },
        ),
        count: fc.nat(1),
      }),
      ({ service }, { from, lacks, onward, moves, count }) => {
        const needed = called(service, from);
        const lacking = lacks === undefined ? undefined : needed[lacks % Math.max(1, needed.length)];
        return {
          steps: [
            ...wayTo(from),
            ...(lacking === undefined ? [] : [call(onwards[from], from, [lacking]), query]),
            ...(onward ? [call(onwards[from], from), query] : []),
            ...moves.flatMap(({ to: next, kept, extra: attr }, i): Step[] => {
              const now = i === 0 && !onward ? from : undefined;
              return [call(kept && now !== undefined ? now : next, now, [], attr), query];
            }),
            ...receives(at, service, count),
            post(at, wrOf({ length: 8, signaled: true })),
            settle,
            query,
          ],
        };
      },
    ),
  aims: [
    'unreliable-modify-accepted',
    'unreliable-modify-lacking',
    'unreliable-modify-surplus',
    'unreliable-modify-no-transition',
    'unreliable-recovers',
  ],
};
