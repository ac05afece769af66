import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { dataJobs, everyJob, job, jobs } from '../../rc-requester/jobs.ts';
import {
  answerFrom,
  answerUpTo,
  post,
  requestsFrom,
  respond,
  workOf,
  wrPsn,
} from '../../rc-requester/parts.ts';
import { evenly, rnrUs, timingOf } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { query } from '../../verbs/parts.ts';

export const postedInWait: SuiteProperty = {
  id: 'rc-requester/posted-in-rnr-wait',
  suite: 'rc-requester',
  says: 'What is posted while a requester waits for the receiver neither ends the wait nor leaves before the request that was refused.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 1, { mostMtus: 1 }),
        refused: job(profile, dataJobs, { mostMtus: 2, signaled: true }),
        posted: fc.array(job(profile, everyJob, { mostMtus: 1 }), { minLength: 1, maxLength: 3 }),
        pause: fc.constantFrom(0, 2, 5),
        // longer than what is posted takes, and short enough to be sat out
        code: timingOf(profile).virtual ? evenly(6, 31) : evenly(18, 20),
      },
      jobs: ({ before, refused }) => [...before, refused],
      parts: (work, { before, refused, posted, pause, code }, { mtu }) => {
        const n = before.length;
        const whole = workOf([...before, refused, ...posted], mtu);
        const later = whole.wrs
          .slice(n + 1)
          .flatMap((wr): Step[] => [post(wr), ...(pause > 0 ? [{ do: 'sleep' as const, us: pause }] : [])]);
        return {
          rnrRetry: 6,
          retryCnt: 7,
          steps: [
            ...answerUpTo(work, n),
            respond({ kind: 'rnr', timer: code }, wrPsn(n)),
            { do: 'sleep', us: 5 },
            ...later,
            { do: 'await', packets: requestsFrom(whole, n), us: rnrUs(profile, code) },
            ...answerFrom(whole, n),
            query,
          ],
        };
      },
    }),
  aims: ['rc-rnr-wait', 'rc-rnr-wait-over', 'rc-rnr-wait-endless'],
};
