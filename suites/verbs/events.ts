import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { sharesReceives } from '../arbitraries/shared.ts';
import type { QpState } from '../../spec/verbs.ts';
import type { SuiteProperty } from '../property.ts';
import { inject, packet } from '../arbitraries/packets.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { Step } from '../scenario.ts';
import { post, query, receive, receives, rts, scenarios, sends, settle, to, wrOf } from './parts.ts';
import type { Service } from './parts.ts';

const every: readonly Service[] = ['RC', 'UC', 'UD'];
/** services whose QPs may be on an SRQ */
const onSrq = (profile: Profile): readonly Service[] =>
  every.filter((service) => sharesReceives(profile, service));

/** One message of a few bytes that takes a receive WQE. */
function arrival(bytes: number): Step {
  return inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes } }));
}

function arrivals(count: number): Step[] {
  return Array.from({ length: count }, () => arrival(8));
}

/** Longer than what is at rest at once takes. */
const rest: Step = { do: 'sleep', us: 2000 };

/** The first packet of a SEND. */
const beginning: Step = inject(packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 } }));

/** `undefined`: the call says nothing of the event. */
function noticing(en_sqd_async_notify?: boolean): { en_sqd_async_notify: boolean } | undefined {
  return en_sqd_async_notify === undefined ? undefined : { en_sqd_async_notify };
}

export const drain: SuiteProperty = {
  id: 'verbs/drain',
  suite: 'verbs',
  says: 'SQ_DRAINED comes once, when what was begun before SQD is answered, and only if software asked for it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      every,
      fc.record({
        begun: sends(3),
        answered: fc.constantFrom('before', 'after', 'never'),
        asks: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
        held: sends(2),
        sleep: fc.boolean(),
        times: fc.integer({ min: 1, max: 2 }),
        asksAgain: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constantFrom(false, undefined)),
      }),
      ({ service }, { begun, answered, asks, held, sleep, times, asksAgain }) => {
        const at = 'requester';
        const count = begun.length;
        const us = timingOf(profile).prompt;
        const sent: Step[] = count === 0 || service !== 'RC' ? [] : [{ do: 'await', packets: count, us }];
        const answer: Step[] =
          count === 0 || service !== 'RC'
            ? []
            : [
                {
                  do: 'respond',
                  packet: { reply: { kind: 'ack' }, psn: { from: 'wr-end', wr: count - 1, offset: 0 } },
                },
              ];
        const round: Step[] = [
          to(at, 'IBV_QPS_SQD', noticing(asks || undefined)),
          ...held.map((s) => post(at, wrOf(s))),
        ];
        return {
          steps: [
            ...begun.map((s) => post(at, wrOf(s))),
            ...sent,
            ...(answered === 'before' ? answer : []),
            ...round,
            settle,
            ...(answered === 'after' ? answer : []),
            settle,
            query,
            ...(sleep ? ([{ do: 'sleep', us }, settle] satisfies Step[]) : []),
            ...(times > 1 && (held.length === 0 || service !== 'RC')
              ? [to(at, 'IBV_QPS_RTS'), settle, to(at, 'IBV_QPS_SQD', noticing(asksAgain)), settle]
              : []),
          ],
        };
      },
    ),
  aims: ['drained', 'drained-too-early', 'drained-again', 'drained-undue'],
};

export const sharedLimit: SuiteProperty = {
  id: 'verbs/srq-limit',
  suite: 'verbs',
  requires: ['srq'],
  says: 'The limit of an SRQ is reported once when it is passed, is 0 then, and can be set again.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      onSrq(profile),
      fc.record({
        count: fc.integer({ min: 1, max: 8 }),
        limit: fc.integer({ min: 0, max: 7 }),
        first: fc.nat(4),
        resize: fc.boolean(),
        again: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 4 }),
        refill: fc.nat(4),
        second: fc.nat(8),
      }),
      ({ service }, { count, limit, first, resize, again, refill, second }) => {
        const asked: Step = { do: 'query_srq' };
        return {
          srq: true,
          plan: { maxRecvWr: 12 },
          steps: [
            { do: 'query_device' },
            asked,
            ...receives('responder', service, count),
            ...(resize ? ([{ do: 'modify_srq', maxWr: 16 }] satisfies Step[]) : []),
            { do: 'modify_srq', limit },
            asked,
            ...arrivals(first),
            settle,
            asked,
            ...receives('responder', service, refill),
            ...(again === undefined ? [] : ([{ do: 'modify_srq', limit: again }, asked] satisfies Step[])),
            ...arrivals(second),
            settle,
            asked,
            query,
          ],
        };
      },
    ),
  aims: [
    'srq-limit-reached',
    'srq-limit-disarmed',
    'srq-limit-too-early',
    'srq-query-raised',
    'srq-query-armed',
    'srq-limit-settable',
    'srq-size-fixed',
    'event-of-srq',
  ],
};

export const lastWqe: SuiteProperty = {
  id: 'verbs/last-wqe',
  suite: 'verbs',
  requires: ['srq'],
  says: 'A QP on an SRQ that goes to ERR says when it has let go of it; what is posted stays posted, and serves its next life.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      onSrq(profile),
      fc.record({
        count: fc.nat(4),
        first: fc.nat(4),
        more: fc.nat(2),
        begun: fc.boolean(),
        reborn: fc.boolean(),
        second: fc.nat(2),
        full: fc.boolean(),
        fails: fc.boolean(),
      }),
      ({ service, mtu }, { count, first, more, begun, reborn, second, full, fails }) => {
        const begins = begun && service !== 'UD';
        return {
          srq: true,
          plan: { maxRecvWr: Math.max(1, count + more) },
          steps: [
            ...receives('responder', service, count, begun ? 2 * mtu : undefined),
            ...arrivals(Math.min(first, count)),
            // a message that has taken a WQE, and does not end
            ...(begins && first < count ? [beginning] : []),
            settle,
            to('responder', 'IBV_QPS_ERR'),
            settle,
            query,
            ...receives('responder', service, full ? 40 : more, begun ? 2 * mtu : undefined),
            settle,
            ...(reborn
              ? [to('responder', 'IBV_QPS_RESET'), ...rts.map((state) => to('responder', state))]
              : []),
            ...arrivals(Math.min(second, Math.max(0, count - first) + more)),
            settle,
            query,
            ...(reborn && fails
              ? [...(begins ? [beginning] : []), rest, to('responder', 'IBV_QPS_ERR'), settle, query]
              : []),
          ],
        };
      },
    ),
  aims: [
    'last-wqe-completed',
    'last-wqe-srq-empty',
    'last-wqe-again',
    'completion-behind-last-wqe',
    'flush-shared-receive',
    'post-shared-receive-queue-full',
  ],
};

export const cqOverflow: SuiteProperty = {
  id: 'verbs/cq-overflow',
  suite: 'verbs',
  says: 'A CQ that gets more completions than it has entries raises CQ_ERR, takes no more, and fails its QPs.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      every,
      fc.record({
        cqe: fc.integer({ min: 1, max: 4 }),
        sent: fc.integer({ min: 0, max: 8 }),
        count: fc.integer({ min: 0, max: 8 }),
        far: fc.boolean(),
        more: fc.nat(2),
        // UC and UD complete what they send as well
        end: fc.constantFrom<QpState>('IBV_QPS_ERR', 'IBV_QPS_RTS'),
      }),
      ({ service }, { cqe, sent, count, far, more, end }) => ({
        cqe,
        steps: [
          to('requester', 'IBV_QPS_SQD'),
          ...receives('requester', service, count),
          ...Array.from({ length: sent }, () => post('requester', wrOf({ length: 8, signaled: true }))),
          to('requester', service === 'RC' ? 'IBV_QPS_ERR' : end),
          settle,
          query,
          // some devices have made room for more than they were asked for
          ...(far ? receives('requester', service, 40) : []),
          settle,
          ...receives('requester', service, more),
          settle,
          query,
        ],
      }),
    ),
  aims: [
    'cq-overflow-reported',
    'cq-error-takes-no-more',
    'cq-error-spreads',
    'state-after-fatal-event',
    'event-of-cq',
  ],
};

export const port: SuiteProperty = {
  id: 'verbs/port',
  suite: 'verbs',
  requires: ['port-events'],
  says: 'Loss and return of the link are reported by events and by ibv_query_port, and leave QPs as they are.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      every,
      fc.record({
        links: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
        asks: fc.boolean(),
        arrives: fc.boolean(),
      }),
      ({ service }, { links, asks, arrives }) => ({
        steps: [
          { do: 'query_port' },
          receive('responder', service),
          ...links.flatMap((up): Step[] => [
            { do: 'link', up },
            ...(asks ? [{ do: 'query_port' } as const] : []),
            settle,
            query,
            { do: 'query_port' },
          ]),
          { do: 'link', up: true },
          settle,
          { do: 'query_port' },
          { do: 'query_device' },
          ...(arrives ? [arrival(8), settle, query] : []),
        ],
      }),
    ),
  aims: [
    'port-error-raised',
    'port-active-raised',
    'port-event-undue',
    'lid-change-undue',
    'sm-change-undue',
    'reregistration-undue',
    'port-state-active',
    'port-state-inactive',
    'state-after-port-error',
    'port-events-flagged',
  ],
};

export const portQuery: SuiteProperty = {
  id: 'verbs/port-query',
  suite: 'verbs',
  says: 'ibv_query_port gives a port that traffic can use, and the longest message that it takes.',
  arbitrary: (profile) =>
    scenarios(profile, 'responder', every, fc.boolean(), ({ service }, arrives) => ({
      steps: [
        { do: 'query_port' },
        receive('responder', service),
        ...(arrives ? [arrival(8), settle] : []),
        { do: 'query_port' },
        query,
      ],
    })),
  aims: ['port-max-message', 'port-state-active'],
};

export const established: SuiteProperty = {
  id: 'verbs/established',
  suite: 'verbs',
  says: 'The first message in RTR is reported once, and again in the next life.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      every,
      fc.record({
        lives: fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }),
        sent: sends(1),
      }),
      ({ service }, { lives, sent }) => ({
        steps: lives.flatMap((count): Step[] => [
          to('responder', 'IBV_QPS_RESET'),
          to('responder', 'IBV_QPS_INIT'),
          ...receives('responder', service, count),
          to('responder', 'IBV_QPS_RTR'),
          settle,
          ...arrivals(count),
          settle,
          ...sent.map((s) => post('responder', wrOf(s))),
          query,
        ]),
      }),
    ),
  aims: ['established-unreliable', 'established-unreliable-undue', 'rc-established'],
};
