import fc from 'fast-check';
import type { QpState } from '../../spec/verbs.ts';
import { inject, packet } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { post, query, receives, scenarios, settle, smallSend, to, wrOf } from './parts.ts';
import type { Service } from './parts.ts';

const every: readonly Service[] = ['RC', 'UC', 'UD'];
const at = 'requester';
const aims = ['wr-list-posted', 'wr-list-refused', 'wr-list-stops', 'wr-list-named'];

/** States in which a list is posted, and the way there from RTS. */
const ways: Readonly<Record<string, readonly QpState[]>> = {
  RTS: [],
  SQD: ['IBV_QPS_SQD'],
  ERR: ['IBV_QPS_ERR'],
  INIT: ['IBV_QPS_RESET', 'IBV_QPS_INIT'],
};

/** One list: each is linked to the next. */
export function inOneList(posts: readonly Step[]): Step[] {
  return posts.map((step, i) =>
    i < posts.length - 1 && (step.do === 'post_send' || step.do === 'post_recv')
      ? { ...step, linked: true }
      : step,
  );
}

export const lists: SuiteProperty = {
  id: 'verbs/lists',
  suite: 'verbs',
  requires: ['wr-lists'],
  says: 'A list of work requests is posted in its order, up to the first that is refused, which bad_wr names.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        queue: fc.constantFrom<'send' | 'receive'>('send', 'receive'),
        room: fc.integer({ min: 2, max: 6 }),
        state: fc.constantFrom(...Object.keys(ways)),
        lists: fc.array(
          fc.array(fc.record({ wr: smallSend(), malformed: fc.integer({ min: 0, max: 5 }) }), {
            minLength: 2,
            maxLength: 12,
            size: 'max',
          }),
          { minLength: 1, maxLength: 2 },
        ),
        fails: fc.boolean(),
      }),
      ({ service, mtu }, { queue, room, state, lists: drawn, fails }) => {
        const sent = (one: (typeof drawn)[number][number]): Step =>
          // more inline data than the QP was made for, which most libraries refuse at once
          post(at, one.malformed === 0 ? wrOf({ ...one.wr, length: mtu }, { inline: true }) : wrOf(one.wr));
        const posts = drawn.flatMap((list) =>
          inOneList(queue === 'send' ? list.map(sent) : receives(at, service, list.length)),
        );
        return {
          plan: queue === 'send' ? { maxSendWr: room } : { maxRecvWr: room },
          steps: [
            ...(ways[state] ?? []).map((next) => to(at, next)),
            ...posts,
            settle,
            query,
            ...(fails && state !== 'ERR' ? [to(at, 'IBV_QPS_ERR'), settle, query] : []),
          ],
        };
      },
    ),
  aims: [...aims, 'post-full-errno'],
};

export const listsOnSrq: SuiteProperty = {
  id: 'verbs/lists-on-srq',
  suite: 'verbs',
  requires: ['wr-lists', 'srq'],
  says: 'A list of work requests is posted to an SRQ in its order, up to the first that is refused, which bad_wr names.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC', 'UD'],
      fc.record({
        room: fc.integer({ min: 2, max: 6 }),
        lists: fc.array(fc.integer({ min: 2, max: 12 }), { minLength: 1, maxLength: 2 }),
        messages: fc.integer({ min: 1, max: 8 }),
      }),
      ({ service }, { room, lists: lengths, messages }) => ({
        srq: true,
        plan: { maxRecvWr: room },
        steps: [
          ...lengths.flatMap((length) => inOneList(receives('responder', service, length))),
          settle,
          ...Array.from({ length: messages }, () =>
            inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } })),
          ),
          settle,
          query,
        ],
      }),
    ),
  aims: [...aims, 'post-shared-receive-queue-full'],
};
