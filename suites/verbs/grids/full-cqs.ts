import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { onGrid, pairs, range, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { timingOf } from '../../rc-requester/timing.ts';
import type { Role, Step } from '../../scenario.ts';
import { post, query, receives, rts, scenarios, settle, to, wrOf, type Service } from '../parts.ts';

const every: readonly Service[] = ['RC', 'UC', 'UD'];
const at: Role = 'responder';

/** What fills a CQ: messages, flushed receives, flushed receives and sends, or sends that nobody answers. */
const fillings = ['messages', 'flushed', 'both flushed', 'sends'] as const;
type Filling = (typeof fillings)[number];

const sizes: Grid<[number, Filling]> = {
  name: 'entries of a CQ, and what fills it',
  cells: () => pairs(range(1, 5), fillings),
};

const message: Step = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
const sent: Step = post(at, wrOf({ length: 8, signaled: true }));

function times(count: number, step: Step): Step[] {
  return Array.from({ length: count }, () => step);
}

/** Steps after which so many completions are in a CQ. Nobody takes them before all are there. */
function filled(service: Service, filling: Filling, count: number): Step[] {
  const again: Step[] = [to(at, 'IBV_QPS_RESET'), ...rts.map((state) => to(at, state))];
  switch (filling) {
    case 'messages':
      return [...receives(at, service, count), settle, ...times(count, message)];
    case 'sends':
      // of RC, they would wait for an answer
      return service === 'RC' ? filled(service, 'messages', count) : times(count, sent);
    case 'flushed':
      return [...again, ...receives(at, service, count), to(at, 'IBV_QPS_ERR')];
    case 'both flushed': {
      const some = Math.floor(count / 2);
      return [
        ...again,
        to(at, 'IBV_QPS_SQD'),
        ...times(some, sent),
        ...receives(at, service, count - some),
        to(at, 'IBV_QPS_ERR'),
      ];
    }
  }
}

export const fullCqs: SuiteProperty = {
  id: 'verbs/full-cqs',
  suite: 'verbs',
  says: 'A CQ that gets as many completions as it has entries, time and again, loses none and gives none twice.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        cell: onGrid(sizes, profile, fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(...fillings))),
        // how many entries stay free in each round, so that rounds begin at each place of the ring
        free: fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: 2, maxLength: 5, size: 'max' }),
        apart: fc.boolean(),
        armed: fc.boolean(),
      }),
      ({ service }, { cell: [cqe, filling], free, apart, armed }) => {
        const asks: Step[] = armed
          ? [{ do: 'req_notify_cq', queue: filling === 'sends' && service !== 'RC' ? 'send' : 'receive' }]
          : [];
        return {
          cqe,
          ...(apart && { cqs: 'apart' as const }),
          steps: [
            ...free.flatMap((left) => [
              ...asks,
              ...filled(service, filling, Math.max(1, cqe - left)),
              { do: 'sleep', us: timingOf(profile).prompt } as const,
              settle,
            ]),
            query,
          ],
        };
      },
    ),
  grids: [sizes],
  aims: [
    'rc-receive-completes',
    'uc-receive-completes',
    'ud-receive-completes',
    'unreliable-send-completes',
    'completion-in-order',
  ],
};

export const overflowApart: SuiteProperty = {
  id: 'verbs/cq-overflow-apart',
  suite: 'verbs',
  says: 'A QP fails with either of its CQs: with that of its send queue, and with that of its receive queue.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        cqe: fc.integer({ min: 1, max: 4 }),
        beyond: fc.integer({ min: 1, max: 3 }),
        // some devices have made room for more than they were asked for
        far: fc.boolean(),
        sends: fc.boolean(),
        others: fc.nat(1),
        more: fc.nat(2),
      }),
      ({ service }, { cqe, beyond, far, sends, others, more }) => {
        const count = cqe + beyond + (far ? 40 : 0);
        // of RC, nobody answers what is sent
        const bySends = sends && service !== 'RC';
        return {
          cqe,
          cqs: 'apart',
          steps: [
            ...(bySends
              ? [...receives(at, service, others), ...times(count, sent)]
              : [
                  ...receives(at, service, count),
                  settle,
                  ...times(count, message),
                  ...(service === 'RC' ? [] : times(others, sent)),
                ]),
            { do: 'sleep', us: timingOf(profile).prompt },
            settle,
            query,
            ...receives(at, service, more),
            ...times(more, sent),
            settle,
            query,
          ],
        };
      },
    ),
  aims: [
    'cq-overflow-reported',
    'cq-error-spreads',
    'cq-error-again',
    'qp-fatal-again',
    'cq-error-takes-no-more',
    'state-after-fatal-event',
  ],
};
