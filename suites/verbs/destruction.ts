import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Role, Step } from '../scenario.ts';
import { post, receives, scenarios, sends, settle, to, wrOf } from './parts.ts';

const at: Role = 'responder';
type Destroyed = Extract<Step, { do: 'destroy' }>['object'];
const needed: Destroyed[] = ['cq', 'srq', 'pd'];
const rest: Destroyed[] = ['cq', 'srq', 'mr', 'pd'];

const destroy = (object: Destroyed): Step => ({ do: 'destroy', object });

export const destruction: SuiteProperty = {
  id: 'verbs/destroy',
  suite: 'verbs',
  requires: ['destroy-calls'],
  says: 'A QP goes whatever is under way or has failed; a CQ and an SRQ go behind it, and not before.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC', 'UC', 'UD'],
      fc.record({
        shared: fc.constantFrom(true, true, true, false),
        apart: fc.boolean(),
        sent: sends(4),
        received: fc.nat(4),
        fails: fc.boolean(),
        // too small for what is flushed
        overflows: fc.boolean(),
        early: fc.subarray(needed, { minLength: 1 }),
        // often in the order in which all of it can go
        late: fc.oneof(fc.constant(rest), fc.shuffledSubarray(rest, { minLength: 1 })),
      }),
      ({ service }, { shared, apart, sent, received, fails, overflows, early, late }) => ({
        srq: shared && service !== 'UC' && profile.capabilities.includes('srq'),
        ...(apart && { cqs: 'apart' as const }),
        ...(overflows && { cqe: 1 }),
        steps: [
          ...sent.map((send) => post(at, wrOf(send))),
          ...receives(at, service, received),
          ...(fails ? [to(at, 'IBV_QPS_ERR')] : []),
          settle,
          ...early.map(destroy),
          settle,
          destroy('qp'),
          settle,
          ...late.map(destroy),
          settle,
        ],
      }),
    ),
  aims: [
    'destroy-qp',
    'destroy-cq',
    'destroy-cq-used',
    'destroy-srq',
    'destroy-srq-used',
    'dealloc-pd',
    'dealloc-pd-used',
  ],
};
