import fc from 'fast-check';
import type { QpState } from '../../spec/verbs.ts';
import { onGrid, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import { inject, packet } from '../arbitraries/packets.ts';
import type { Role, Step } from '../scenario.ts';
import {
  headerBytes,
  post,
  query,
  receives,
  rts,
  scenarios,
  sends,
  settle,
  to,
  wrOf,
  type Service,
} from './parts.ts';

const every: readonly Service[] = ['RC', 'UC', 'UD'];
const at: Role = 'requester';

/** States that software takes a QP to from RTS, and the way there. */
const ways: Readonly<Record<string, readonly QpState[]>> = {
  RESET: ['IBV_QPS_RESET'],
  INIT: ['IBV_QPS_RESET', 'IBV_QPS_INIT'],
  RTR: ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'],
  RTS: [],
  SQD: ['IBV_QPS_SQD'],
  ERR: ['IBV_QPS_ERR'],
};

export const byState: SuiteProperty = {
  id: 'verbs/posting-by-state',
  suite: 'verbs',
  says: 'Whether a work request is taken, held, flushed or refused is decided by the state of the QP, and changes none.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        way: fc.constantFrom(...Object.keys(ways)),
        before: sends(1),
        sent: sends(3, 1),
        count: fc.nat(3),
        asks: fc.boolean(),
        after: fc.constantFrom('none', 'back', 'anew'),
      }),
      ({ service }, { way, before, sent, count, asks, after }) => {
        const posts: Step[] = [
          ...sent.map((s) => post(at, wrOf(s))),
          ...receives(at, service, count),
          ...(asks ? [query] : []),
        ];
        const path = ways[way] ?? [];
        const end: Step[] =
          after === 'anew'
            ? [to(at, 'IBV_QPS_RESET'), ...rts.map((state) => to(at, state)), ...posts, settle]
            : after === 'back' && way === 'SQD'
              ? [to(at, 'IBV_QPS_RTS'), settle]
              : after === 'back' && way === 'RTR'
                ? [to(at, 'IBV_QPS_RTS'), ...posts, settle]
                : [];
        return {
          steps: [
            ...before.map((s) => post(at, wrOf(s))),
            ...path.map((state) => to(at, state)),
            ...posts,
            settle,
            query,
            ...end,
          ],
        };
      },
    ),
  aims: ['post-send-too-early', 'post-send-held', 'post-send-flushed', 'post-receive-too-early'],
};

/** Queues, states in which they fill, and how many work requests they have room for. */
const fullness: Grid<['send' | 'receive', string, number]> = {
  name: 'queue, state in which it fills, and its room',
  cells: () =>
    pairs(pairs(['send', 'receive'] as const, ['SQD', 'RTS', 'ERR']), [1, 2, 16]).map(
      ([[queue, state], room]) => [queue, state, room],
    ),
};

export const fullQueues: SuiteProperty = {
  id: 'verbs/full-queues',
  suite: 'verbs',
  says: 'What a queue has no room for is refused, and what has completed makes room.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        full: onGrid(
          fullness,
          profile,
          fc.tuple(
            fc.constantFrom<'send' | 'receive'>('send', 'receive'),
            fc.constantFrom('SQD', 'RTS', 'ERR'),
            fc.integer({ min: 1, max: 6 }),
          ),
        ),
        beyond: fc.integer({ min: 1, max: 40 }),
        again: fc.boolean(),
      }),
      ({ service }, { full: [queue, state, room], beyond, again }) => {
        const posts = (n: number): Step[] =>
          queue === 'receive'
            ? receives(at, service, n)
            : Array.from({ length: n }, () => post(at, wrOf({ length: 8, signaled: true })));
        // a receive queue fills in any state that takes work requests
        const path = queue === 'receive' && state !== 'ERR' ? ['IBV_QPS_RESET', 'IBV_QPS_INIT'] : ways[state];
        return {
          plan: queue === 'send' ? { maxSendWr: room } : { maxRecvWr: room },
          steps: [
            ...(path ?? []).map((next) => to(at, next as QpState)),
            ...posts(room + beyond),
            query,
            settle,
            query,
            ...(again ? [...(state === 'SQD' ? [to(at, 'IBV_QPS_ERR'), settle] : []), ...posts(room)] : []),
            settle,
          ],
        };
      },
    ),
  grids: [fullness],
  aims: ['post-send-queue-full', 'post-receive-queue-full', 'state-after-refused-post'],
};

export const ownQueue: SuiteProperty = {
  id: 'verbs/own-queue-on-srq',
  suite: 'verbs',
  requires: ['srq'],
  says: 'Messages to a QP that is on an SRQ take the WQEs of the SRQ, and nothing that was posted to the QP itself.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC', 'UD'],
      fc.record({
        // true: to the queue of the QP itself
        posts: fc.array(fc.boolean(), { minLength: 2, maxLength: 6 }),
        messages: fc.integer({ min: 1, max: 4 }),
        fails: fc.boolean(),
      }),
      ({ service }, { posts, messages, fails }) => {
        const one = { do: 'post_recv' as const, length: 64 + headerBytes[service], at: 'responder' as const };
        const message = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        return {
          srq: true,
          steps: [
            ...[...posts, true].map((own): Step => (own ? { ...one, own: true } : one)),
            ...Array.from({ length: messages }, () => message),
            settle,
            ...(fails ? [to('responder', 'IBV_QPS_ERR'), settle] : []),
            query,
          ],
        };
      },
    ),
  aims: ['completion-of-unused', 'post-receive-on-srq'],
};

export const flushOrder: SuiteProperty = {
  id: 'verbs/flush',
  suite: 'verbs',
  says: 'A QP that software puts into ERR flushes both queues in their order, and RESET makes an end of all that was.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        held: sends(4),
        count: fc.nat(4),
        more: sends(2),
        moreReceives: fc.nat(2),
        reborn: fc.boolean(),
      }),
      ({ service }, { held, count, more, moreReceives, reborn }) => ({
        steps: [
          to(at, 'IBV_QPS_SQD'),
          ...held.map((s) => post(at, wrOf(s))),
          ...receives(at, service, count),
          ...(reborn
            ? [to(at, 'IBV_QPS_RESET'), ...rts.map((state) => to(at, state)), to(at, 'IBV_QPS_ERR')]
            : [to(at, 'IBV_QPS_ERR')]),
          ...more.map((s) => post(at, wrOf(s))),
          ...receives(at, service, moreReceives),
          settle,
          query,
        ],
      }),
    ),
  aims: ['flush-send-in-error', 'flush-receive-in-error', 'completion-in-order'],
};
