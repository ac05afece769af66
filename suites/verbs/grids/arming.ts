import fc from 'fast-check';
import { sharesReceives } from '../../arbitraries/shared.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { timingOf } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { post, query, receive, receives, scenarios, settle, to, wrOf, type Service } from '../parts.ts';

const every: readonly Service[] = ['RC', 'UC', 'UD'];
const at = 'responder';

/** Calls of ibv_req_notify_cq one after the other; true: for solicited completions alone. */
const armings: readonly boolean[][] = [
  [false],
  [true],
  [false, true],
  [true, false],
  [true, true],
  [false, false],
];

/** What comes then. */
const comings = [
  'unsolicited',
  'solicited',
  'long',
  'immediate',
  'send',
  'flushed receive',
  'flushed send',
] as const;
type Coming = (typeof comings)[number];

/** What came before the calls: no completion, one that was taken, or one that is still in the CQ. */
const befores = ['nothing', 'taken', 'standing'] as const;

const armed: Grid<[[boolean[], Coming], (typeof befores)[number]]> = {
  name: 'calls that arm a CQ, what comes behind them, and what came before',
  cells: () => pairs(pairs(armings, comings), befores),
};

function message(service: Service, coming: Coming): Step[] {
  const payload = { mtus: 0, bytes: 8 };
  const solicited = coming !== 'unsolicited';
  if (coming === 'long' && service !== 'UD')
    return [
      inject(packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 } })),
      inject(packet('SEND_LAST', { payload, solicited })),
    ];
  if (coming === 'immediate')
    return service === 'UD'
      ? [inject(packet('SEND_ONLY_WITH_IMMEDIATE', { payload, immediate: 5, solicited }))]
      : [
          inject(
            packet('RDMA_WRITE_ONLY_WITH_IMMEDIATE', {
              payload,
              immediate: 5,
              solicited,
              target: { region: 0, offset: 0, length: 8 },
            }),
          ),
        ];
  return [inject(packet('SEND_ONLY', { payload, solicited }))];
}

export const arming: SuiteProperty = {
  id: 'verbs/arming',
  suite: 'verbs',
  requires: ['cq-events'],
  says: 'Each way to arm a CQ brings one event for each kind of completion that it is for, whatever came before.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        cell: anyCell(armed, profile),
        apart: fc.boolean(),
        resized: fc.boolean(),
        // completions that find the CQ armed no more
        more: fc.nat(2),
        again: fc.boolean(),
      }),
      ({ service, mtu }, { cell: [[calls, coming], before], apart, resized, more, again }) => {
        const us = timingOf(profile).prompt;
        const sends = coming.endsWith('send');
        const queue = sends ? ('send' as const) : ('receive' as const);
        const sent = post(at, wrOf({ length: 8, signaled: true }));
        const plain = message(service, 'unsolicited');
        const asks = calls.map((only): Step => ({
          do: 'req_notify_cq',
          queue,
          ...(only && { solicitedOnly: true as const }),
        }));
        const comes = (): Step[] => {
          switch (coming) {
            case 'unsolicited':
            case 'solicited':
            case 'long':
            case 'immediate':
              return message(service, coming);
            case 'send':
              // nobody answers here, so that one of RC would wait for ever
              return service === 'RC' ? plain : [sent];
            case 'flushed receive':
              return [to(at, 'IBV_QPS_ERR')];
            case 'flushed send':
              return [to(at, 'IBV_QPS_ERR'), sent];
          }
        };
        const fails = coming.startsWith('flushed');
        const prepared = receives(at, service, 8, mtu + 8);
        const first: Readonly<Record<typeof before, Step[]>> = {
          nothing: [],
          taken: [...plain, settle],
          standing: [...plain, { do: 'sleep', us }],
        };
        return {
          ...(apart && { cqs: 'apart' as const }),
          steps: [
            ...prepared,
            settle,
            ...first[before],
            ...asks,
            ...(resized && before !== 'standing'
              ? ([{ do: 'resize_cq', queue, cqe: 40 }] satisfies Step[])
              : []),
            ...comes(),
            settle,
            ...(fails ? [] : Array.from({ length: more }, () => plain).flatMap((one) => [...one, settle])),
            ...(again && !fails ? [...asks, ...comes(), settle] : []),
            query,
          ],
        };
      },
    ),
  grids: [armed],
  aims: [
    'cq-event-once',
    'cq-event-due',
    'cq-event-due-error',
    'cq-event-due-solicited',
    'cq-event-solicited-only',
    'cq-event-new',
  ],
};

/** What software does between setting a limit and the messages that pass it. */
const changes = ['nothing', 'resize', 'higher', 'lower', 'same', 'disarm', 'refill'] as const;
/** The limit: a number, or so far below the room of the SRQ. */
const limits = [1, 2, 3, -1, 0] as const;

const limited: Grid<[(typeof limits)[number], (typeof changes)[number]]> = {
  name: 'limit of an SRQ, and what changes while it is set',
  cells: () => pairs(limits, changes),
};

const room = 6;

export const srqLimits: SuiteProperty = {
  id: 'verbs/srq-limits',
  suite: 'verbs',
  requires: ['srq'],
  says: 'A limit of an SRQ, from 1 to its size, counts what is on it when each message comes, and what software changes.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every.filter((service) => sharesReceives(profile, service)),
      fc.record({
        cell: anyCell(limited, profile),
        /** messages beyond the one that passes the limit */
        more: fc.nat(2),
        again: fc.boolean(),
      }),
      ({ service }, { cell: [asked, change], more, again }) => {
        const limit = asked > 0 ? asked : room + asked;
        const ask: Step = { do: 'query_srq' };
        const set = (value: number): Step => ({ do: 'modify_srq', limit: value });
        const arrival = message(service, 'unsolicited');
        const arrivals = (count: number): Step[] =>
          Array.from({ length: Math.max(0, count) }, () => arrival).flat();
        // each to what there is when it is done: one message has been taken
        const left = room - 1;
        const made: Readonly<Record<typeof change, { steps: Step[]; limit: number; left: number }>> = {
          nothing: { steps: [], limit, left },
          resize: { steps: [{ do: 'modify_srq', maxWr: room + 4 }], limit, left },
          higher: { steps: [set(Math.min(left, limit + 1))], limit: Math.min(left, limit + 1), left },
          lower: { steps: [set(Math.max(1, limit - 1))], limit: Math.max(1, limit - 1), left },
          same: { steps: [set(limit)], limit, left },
          disarm: { steps: [set(0)], limit: 0, left },
          refill: { steps: [receive(at, service)], limit, left: room },
        };
        const now = made[change];
        return {
          srq: true,
          plan: { maxRecvWr: room },
          steps: [
            { do: 'query_device' },
            ...receives(at, service, room),
            set(limit),
            ask,
            ...arrivals(1),
            settle,
            ask,
            ...now.steps,
            ask,
            // as many are left as the limit says: nothing comes yet
            ...arrivals(now.left - now.limit),
            settle,
            ask,
            ...arrivals(1 + more),
            settle,
            ask,
            ...(again ? [...receives(at, service, room), set(1), ...arrivals(room + 1), settle, ask] : []),
            query,
          ],
        };
      },
    ),
  grids: [limited],
  aims: [
    'srq-limit-reached',
    'srq-limit-too-early',
    'srq-limit-disarmed',
    'srq-query-armed',
    'srq-size-fixed',
  ],
};
