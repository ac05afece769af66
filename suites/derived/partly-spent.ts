import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { exchange } from '../rc-requester/exchange.ts';
import { everyJob, jobs } from '../rc-requester/jobs.ts';
import {
  afterTimeout,
  answer,
  needsResponse,
  requestsFrom,
  respond,
  sent,
  wrPsn,
} from '../rc-requester/parts.ts';
import { patientTimeout, rnrUs, shortRnrCode } from '../rc-requester/timing.ts';

/** What takes a retry of either counter. */
type Cause = 'nak' | 'timeout' | 'rnr';

/** Some retries are spent for each work request, and all of them for the last one. */
export const partlySpent: SuiteProperty = {
  id: 'rc-requester/retries-spent-in-part',
  suite: 'rc-requester',
  says: 'Progress gives all retries back, however many of them are left.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 4, { mostMtus: 1 }),
        counter: fc.constantFrom(2, 3, 4, 7),
        left: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 4, size: 'max' }),
        causes: fc.array(fc.constantFrom<Cause>('nak', 'rnr', 'timeout', 'nak'), {
          minLength: 2,
          maxLength: 4,
          size: 'max',
        }),
        over: fc.constantFrom(0, 0, 0, 1),
        code: shortRnrCode(),
        timeout: patientTimeout(profile),
      },
      jobs: ({ all }) => all,
      parts: (work, { counter, left, causes, over, code, timeout }) => {
        const last = work.wrs.length - 1;
        // 7 RNR retries have no end
        const rnrRetry = Math.min(counter, 6);
        const steps = work.wrs.flatMap((wr, n): Step[] => {
          const cause = causes[n % causes.length] ?? 'nak';
          const most = cause === 'rnr' ? rnrRetry : counter;
          const spared = left[n % left.length] ?? 1;
          const times = n === last ? most + over : Math.max(0, most - spared);
          const packets = requestsFrom(work, n);
          const one: Step[] =
            cause === 'timeout' || (cause === 'rnr' && needsResponse(wr))
              ? [afterTimeout(profile, timeout, packets)]
              : cause === 'rnr'
                ? [
                    respond({ kind: 'rnr', timer: code }, wrPsn(n)),
                    { do: 'await', packets, us: rnrUs(profile, code) },
                  ]
                : [respond({ kind: 'nak', code: 0 }, wrPsn(n)), ...sent(profile, packets)];
          return [...Array.from({ length: times }, () => one).flat(), ...answer(work, n)];
        });
        return { timeout, retryCnt: counter, rnrRetry, steps };
      },
    }),
  aims: [
    'rc-progress-reloads',
    'rc-retry-counted-timeout',
    'rc-retry-counted-sequence-nak',
    'rc-rnr-retry-counted',
  ],
};
