import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { dataJobs, everyJob, job, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, answerUpTo, requestsFrom, respond, wrPsn } from '../../rc-requester/parts.ts';
import { evenly, rnrUs, shortTimeout, timingOf } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { query, settle } from '../../verbs/parts.ts';

const link = (up: boolean): Step => ({ do: 'link', up, midway: true });

/** The link goes down and comes back while a requester waits for its receiver. */
export const rnrWaitWithoutLink: SuiteProperty = {
  id: 'rc-requester/rnr-wait-without-link',
  suite: 'rc-requester',
  requires: ['port-events'],
  says: 'A wait for the receiver goes on where the link goes down and comes back meanwhile.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 1, { mostMtus: 1 }),
        refused: job(profile, dataJobs, { mostMtus: 2, signaled: true }),
        away: fc.constantFrom(5, 1, 40),
        times: fc.integer({ min: 1, max: 2 }),
        timeout: timingOf(profile).virtual ? fc.constantFrom(1, 4, 8) : shortTimeout(profile),
        // longer than the link is away, and short enough to be sat out
        code: timingOf(profile).virtual ? evenly(16, 31) : evenly(19, 20),
      },
      jobs: ({ before, refused }) => [...before, refused],
      parts: (work, { before, away, times, timeout, code }) => {
        const n = before.length;
        const flap: Step[] = [link(false), { do: 'sleep', us: away }, link(true), { do: 'sleep', us: away }];
        return {
          timeout,
          rnrRetry: 6,
          retryCnt: 7,
          steps: [
            ...answerUpTo(work, n),
            respond({ kind: 'rnr', timer: code }, wrPsn(n)),
            settle,
            ...Array.from({ length: times }, () => flap).flat(),
            { do: 'await', packets: requestsFrom(work, n), us: rnrUs(profile, code) },
            ...answerFrom(work, n),
            query,
          ],
        };
      },
    }),
  aims: ['rc-outage-wait'],
};
