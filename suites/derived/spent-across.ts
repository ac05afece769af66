import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { onGrid, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { exchange } from '../rc-requester/exchange.ts';
import { dataJobs, job } from '../rc-requester/jobs.ts';
import { answerFrom, requestsFrom, respond, sent, wrPsn, type Work } from '../rc-requester/parts.ts';
import { notReady } from '../rc-requester/rnr.ts';
import { shortRnrCode } from '../rc-requester/timing.ts';

/** The counter that is spent. */
const counters = ['retry_cnt', 'rnr_retry'] as const;
type Counter = (typeof counters)[number];

/** What comes between two retries and is no progress. */
const events = ['other cause', 'attributes', 'SQD', 'void answer'] as const;
type Event = (typeof events)[number];

const kept: Grid<[Counter, Event]> = {
  name: 'retry counter that is spent, and what comes between that gives nothing back',
  cells: () => events.flatMap((event) => pairs(counters, [event])),
};

function retry(profile: Profile, work: Work, counter: Counter, code: number): Step[] {
  return counter === 'rnr_retry'
    ? notReady(profile, work, 0, code)
    : [respond({ kind: 'nak', code: 0 }, wrPsn(0)), ...sent(profile, requestsFrom(work))];
}

/** `old`: an answer tells what is known already; otherwise it answers nothing that was sent. */
function between(
  profile: Profile,
  work: Work,
  counter: Counter,
  event: Event,
  { code, old }: { code: number; old: boolean },
): Step[] {
  switch (event) {
    case 'other cause':
      return retry(profile, work, counter === 'retry_cnt' ? 'rnr_retry' : 'retry_cnt', code);
    case 'attributes':
      return [{ do: 'modify_qp', at: 'requester', attr: { min_rnr_timer: 9 }, midway: true }];
    case 'SQD':
      return [{ do: 'modify_qp', at: 'requester', state: 'IBV_QPS_SQD', midway: true }];
    case 'void answer':
      return [respond({ kind: 'ack' }, old ? { from: 'oldest', offset: -1 } : { from: 'newest', offset: 3 })];
  }
}

/** One retry more than the counter has, with something in between that is no progress. */
export const spentAcross: SuiteProperty = {
  id: 'rc-requester/retries-spent-across',
  suite: 'rc-requester',
  says: 'What is no progress gives no retry back: neither an RNR NAK or a retry of the other kind, nor a call, nor an answer that tells nothing new.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        cell: onGrid(kept, profile, fc.tuple(fc.constantFrom(...counters), fc.constantFrom(...events))),
        one: job(profile, dataJobs, { mostMtus: 1 }),
        counter: fc.integer({ min: 1, max: 3 }),
        first: fc.integer({ min: 1, max: 3 }),
        twice: fc.boolean(),
        over: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 0),
        old: fc.boolean(),
        code: shortRnrCode(),
      },
      jobs: ({ one }) => [one],
      parts: (work, { cell: [name, event], counter, first, twice, over, old, code }) => {
        const early = Math.min(first, counter);
        const times = (n: number): Step[] =>
          Array.from({ length: n }, () => retry(profile, work, name, code)).flat();
        const once = between(profile, work, name, event, { code, old });
        return {
          // the other counter has enough for what comes between
          retryCnt: name === 'retry_cnt' ? counter : 7,
          rnrRetry: name === 'rnr_retry' ? counter : 6,
          steps: [
            ...times(early),
            ...once,
            ...(twice && event !== 'SQD' ? once : []),
            ...times(counter - early + over),
            ...answerFrom(work),
          ],
        };
      },
    }),
  grids: [kept],
  aims: [
    'rc-retry-exhausted',
    'rc-rnr-retry-exhausted',
    'rc-retry-counted-sequence-nak',
    'rc-rnr-retry-counted',
  ],
};
