import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { everyJob, jobs } from './jobs.ts';
import { exchange } from './exchange.ts';
import {
  answerFrom,
  answerUpTo,
  needsResponse,
  postAll,
  requestsFrom,
  respond,
  sent,
  share,
  spotAt,
  workOf,
  wrPsn,
  type Spot,
  type Work,
} from './parts.ts';

/** Where a responder's expected PSN may stand: never inside of a READ. */
export function expectedAt(work: Work, part: number): Spot {
  const spot = spotAt(work, part);
  const wr = work.wrs[spot.n];
  return wr !== undefined && needsResponse(wr) ? { n: spot.n, index: 0 } : spot;
}

export const sequenceNak: SuiteProperty = {
  id: 'rc-requester/sequence-nak',
  suite: 'rc-requester',
  says: 'A NAK "PSN sequence error" makes the requester send again from its PSN on, and no more often than it has retries.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 4),
        naks: fc.array(fc.record({ part: share(), wait: fc.boolean() }), { minLength: 1, maxLength: 4 }),
        inOrder: fc.boolean(),
        enough: fc.boolean(),
      },
      jobs: ({ all }) => all,
      parts: (work, { naks, inOrder, enough }, { retryCnt }) => {
        const order = inOrder ? naks.toSorted((a, b) => a.part - b.part) : naks;
        return {
          retryCnt: enough ? 7 : retryCnt,
          steps: [
            ...order.flatMap(({ part, wait }): Step[] => {
              const spot = expectedAt(work, part);
              return [
                respond({ kind: 'nak', code: 0 }, wrPsn(spot.n, spot.index)),
                ...(wait ? sent(profile, requestsFrom(work, spot.n, spot.index)) : []),
              ];
            }),
            settle,
            ...answerFrom(work),
          ],
        };
      },
    }),
  aims: [
    'rc-sequence-nak-retransmits',
    'rc-retransmission-caused',
    'rc-retransmission-starts-late',
    'rc-retransmission-completed',
    'rc-repeat-same',
    'rc-request-solicited',
    'rc-retry-under-way',
  ],
};

/** NAKs at one and the same PSN: as many as there are retries, one fewer, or one more. */
export const sequenceNakRetries: SuiteProperty = {
  id: 'rc-requester/sequence-nak-retries',
  suite: 'rc-requester',
  says: 'Each sequence NAK without progress costs one retry; the one for which none is left ends the QP.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 3),
        part: share(),
        more: fc.constantFrom(1, 0, -1),
        after: jobs(profile, everyJob, 2),
        never: fc.boolean(),
        // the NAK that takes the last retry comes twice in a row
        again: fc.constantFrom(false, false, true),
        duplicates: fc.boolean(),
      },
      jobs: ({ all }) => all,
      parts: (work, { all, part, more, after, never, again, duplicates }, { mtu, retryCnt }) => {
        const next = workOf(after, mtu);
        const whole = workOf([...all, ...after], mtu);
        const spot = expectedAt(work, part);
        const count = Math.max(0, retryCnt + more);
        return {
          ...(never && { timeout: 0 }),
          steps: [
            // What is before the NAKs is answered, so that nothing else is to be sent again.
            ...answerUpTo(work, spot.n),
            ...Array.from({ length: count }, (_, i) => [
              ...Array.from({ length: again && i === retryCnt - 1 ? 2 : 1 }, () =>
                respond({ kind: 'nak', code: 0 }, wrPsn(spot.n, spot.index)),
              ),
              ...sent(profile, requestsFrom(work, spot.n, spot.index)),
              // no progress, so that it gives no retry back
              ...(duplicates ? [respond({ kind: 'ack' }, { from: 'oldest', offset: -1 })] : []),
            ]).flat(),
            settle,
            ...postAll(next),
            ...(more > 0 ? [] : sent(profile, requestsFrom(next))),
            ...answerFrom(whole, spot.n),
          ],
        };
      },
    }),
  aims: [
    'rc-retry-counted-sequence-nak',
    'rc-retry-exhausted-nak',
    'rc-retry-under-way-exhausted',
    'rc-send-failed',
    'rc-send-flushed',
    'rc-failed-requester-in-error',
  ],
};
