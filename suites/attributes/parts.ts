import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { qpTransitions } from '../../spec/constants.ts';
import { attributeKeys, attributeNames, type AttributeKey } from '../../spec/qp-attributes.ts';
import type { QpState } from '../../spec/verbs.ts';
import { base, fullAccess, responderScenario } from '../arbitraries/base.ts';
import type { AttrPlan, QpPlan, Role, Scenario, Step } from '../scenario.ts';

type Modify = Extract<Step, { do: 'modify_qp' }>;
/** One call of ibv_modify_qp at the DUT, whichever end it is. */
export type Change = Omit<Modify, 'do' | 'at'>;
export type StateName = 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'ERR';
/** A call, or a question after it. */
export type Move = Change | 'query';

/** A transition of an RC QP with the attributes that it takes. */
export interface Transition {
  from: StateName;
  to: StateName;
  required: readonly AttributeKey[];
  optional: readonly AttributeKey[];
}

function keysOf(names: readonly string[]): AttributeKey[] {
  return attributeKeys.filter((key) => names.includes(attributeNames[key]));
}

export const transitions: readonly Transition[] = (qpTransitions['RC'] ?? []).map(
  ({ from, to, required, optional }) => ({
    from: from as StateName,
    to: to as StateName,
    required: keysOf(required),
    optional: keysOf(optional),
  }),
);
/** Transitions that take the state alone. */
const bare: readonly Transition[] = (['RESET', 'INIT', 'RTR', 'RTS', 'SQD'] as const).flatMap((from) => [
  { from, to: 'RESET', required: [], optional: [] },
  ...(from === 'RESET' ? [] : [{ from, to: 'ERR' as const, required: [], optional: [] }]),
]);
export const everyTransition: readonly Transition[] = [...transitions, ...bare];

export function stateOf(name: StateName): QpState {
  return `IBV_QPS_${name}`;
}

/** Calls that bring a QP from RTS, where every scenario begins, to a state. */
export function wayTo(state: StateName): Change[] {
  switch (state) {
    case 'RTS':
      return [];
    case 'SQD':
    case 'ERR':
    case 'RESET':
      return [{ state: stateOf(state) }];
    case 'INIT':
      return [...wayTo('RESET'), { state: stateOf('INIT') }];
    case 'RTR':
      return [...wayTo('INIT'), { state: stateOf('RTR') }];
  }
}

/** The call that makes a transition; where the state is kept, it names the state or not. */
export function along({ from, to }: Transition, named: boolean): Change {
  if (from === to && !named) return {};
  // the plan's attributes for RTS are those from RTR
  return from !== 'RTR' && to === 'RTS'
    ? { state: stateOf(to), omit: ['timeout', 'retry_cnt', 'rnr_retry', 'sq_psn', 'max_rd_atomic'] }
    : from === 'INIT' && to === 'INIT'
      ? { state: stateOf(to), omit: ['pkey_index', 'port_num', 'qp_access_flags'] }
      : { state: stateOf(to) };
}

/** The change with attributes added. */
export function withAttr(change: Change, attr: AttrPlan): Change {
  const omit = (change.omit ?? []).filter((key) => !Object.hasOwn(attr, key));
  return { ...change, attr: { ...change.attr, ...attr }, ...(change.omit !== undefined && { omit }) };
}

/** Scenarios without traffic of their own, with the DUT at either end; all begin by asking what the device can do. */
export function scenarios<T>(
  profile: Profile,
  more: fc.Arbitrary<T>,
  moves: (more: T) => readonly Move[],
): fc.Arbitrary<Scenario> {
  return fc
    .record({ chosen: base(profile), dut: fc.constantFrom<Role>('responder', 'requester'), more })
    .map(({ chosen, dut, more: drawn }): Scenario => {
      const steps: Step[] = [{ do: 'query_device' }, ...moves(drawn).map((move) => stepOf(move, dut))];
      const made = responderScenario(profile, { ...chosen, srq: false }, { steps, regions: [] });
      const plain = { ...made, requester: inside(made.requester), responder: inside(made.responder) };
      return dut === 'responder'
        ? plain
        : {
            ...plain,
            dut,
            peer: 'scripted',
            requester: { ...plain.requester, access: fullAccess(profile), maxRdAtomic: 1 },
          };
    });
}

/** The plan with parameters that are no bounds of their ranges, so that those of the steps stand out. */
function inside(plan: QpPlan): QpPlan {
  return { ...plan, timeout: 14, retryCnt: 5, rnrRetry: 4, minRnrTimer: 12 };
}

function stepOf(move: Move, at: Role): Step {
  return move === 'query' ? { do: 'query_qp' } : { do: 'modify_qp', at, ...move };
}
