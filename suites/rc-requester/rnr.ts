import fc from 'fast-check';
import { onGrid, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { dataJobs, everyJob, job, jobs } from './jobs.ts';
import { exchange } from './exchange.ts';
import { answerFrom, answerUpTo, requestsFrom, respond, rnrRetryCounts, wrPsn, type Work } from './parts.ts';
import { evenly, rnrCodes, rnrUs, shortRnrCode, timingOf } from './timing.ts';
import type { Profile } from '../../adapters/adapter.ts';

/** An RNR NAK at the first packet of a work request, and the wait until it and what follows come again. */
export function notReady(profile: Profile, work: Work, n: number, code: number, times = 1): Step[] {
  return [
    ...Array.from({ length: times }, () => respond({ kind: 'rnr', timer: code }, wrPsn(n))),
    { do: 'await', packets: requestsFrom(work, n), us: rnrUs(profile, code) },
  ];
}

export const rnrWait: SuiteProperty = {
  id: 'rc-requester/rnr-wait',
  suite: 'rc-requester',
  says: 'After an RNR NAK the request comes again no sooner than its timer code says, whichever of the 32 it is.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 2),
        refused: job(profile, dataJobs),
        followers: fc.array(job(profile, everyJob), { maxLength: 2 }),
        answerBefore: fc.boolean(),
        twice: fc.boolean(),
        // the ACK timer does not run while the requester waits
        timeout: timingOf(profile).virtual ? fc.constantFrom(14, 10, 8, 4) : fc.constantFrom(19, 15),
        code: onGrid(rnrCodes, profile, evenly(0, 3)),
        count: timingOf(profile).virtual ? fc.constantFrom(16, 16, 16, 2, 1) : evenly(1, 2),
      },
      jobs: ({ before, refused, followers }) => [...before, refused, ...followers],
      parts: (work, { before, answerBefore, twice, timeout, code, count: most }) => {
        const n = before.length;
        // what stands unanswered in front costs retries
        const count = answerBefore ? most : Math.min(most, 8);
        // Codes far apart, so that a few cases have seen them all.
        const apart = count > 8 ? 2 : 4;
        return {
          // the same once more while its time runs may count or not
          rnrRetry: twice || count > 6 ? 7 : 6,
          timeout,
          // a READ in front that the NAK passes over costs retries as well
          retryCnt: 7,
          steps: [
            ...(answerBefore ? answerUpTo(work, n) : []),
            ...Array.from({ length: count }, (_, i) =>
              notReady(profile, work, n, (code + apart * i) % 32, twice ? 2 : 1),
            ).flat(),
            ...answerFrom(work),
          ],
        };
      },
    }),
  grids: [rnrCodes],
  aims: [
    'rc-rnr-wait',
    'rc-rnr-wait-over',
    'rc-rnr-wait-endless',
    'rc-rnr-nak-retransmits',
    'rc-rnr-retry-again',
    'rc-progress-with-rnr-nak',
  ],
};

/** RNR NAKs more than rnr_retry. */
const moreNaks: Grid<number> = {
  name: 'RNR NAKs beyond rnr_retry',
  cells: () => [...range(-1, 1)].toReversed(),
};

export const rnrRetries: SuiteProperty = {
  id: 'rc-requester/rnr-retries',
  suite: 'rc-requester',
  says: 'A request is sent again after rnr_retry RNR NAKs and not after one more, but for ever where rnr_retry is 7.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: fc.array(job(profile, everyJob), { maxLength: 1 }),
        refused: job(profile, dataJobs, { mostMtus: 1 }),
        followers: fc.array(job(profile, everyJob), { maxLength: 2 }),
        code: shortRnrCode(),
        more: onGrid(moreNaks, profile, fc.constantFrom(1, 0, -1)),
        beyond: fc.integer({ min: 8, max: 12 }),
        times: fc.constantFrom(1, 1, 1, 2),
        // the NAK that takes the last retry comes once more while its time runs
        again: fc.boolean(),
        duplicates: fc.boolean(),
      },
      jobs: ({ before, refused, followers }) => [...before, refused, ...followers],
      parts: (work, { before, code, more, beyond, times, again, duplicates }, { rnrRetry }) => {
        const n = before.length;
        const count = rnrRetry === 7 ? beyond : Math.max(0, rnrRetry + more);
        return {
          steps: [
            ...answerUpTo(work, n),
            ...Array.from({ length: count }, (_, i) => [
              ...notReady(profile, work, n, code, again && i === rnrRetry - 1 ? 2 : times),
              // no progress, so that it gives no retry back
              ...(duplicates ? [respond({ kind: 'ack' }, { from: 'oldest', offset: -1 })] : []),
            ]).flat(),
            ...answerFrom(work, n),
          ],
        };
      },
    }),
  grids: [rnrRetryCounts, moreNaks],
  aims: [
    'rc-rnr-retry-exhausted',
    'rc-request-unposted',
    'rc-rnr-retry-exhausted-again',
    'rc-rnr-retry-unlimited',
    'rc-rnr-retry-counted',
  ],
};
