import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { dataJobs, everyJob, job, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, answerUpTo, requestsFrom, respond, wrPsn } from '../../rc-requester/parts.ts';
import { rnrUs, shortRnrCode } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { query, settle } from '../../verbs/parts.ts';

export const drainedBehindWait: SuiteProperty = {
  id: 'rc-requester/drained-behind-wait',
  suite: 'rc-requester',
  says: 'A send queue that waits for the receiver in SQD is not drained until what it waits with has been sent again and answered.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 1, { mostMtus: 1 }),
        refused: job(profile, dataJobs, { mostMtus: 2, signaled: true }),
        code: shortRnrCode(),
        first: fc.boolean(),
        asks: fc.constantFrom(true, true, true, false),
      },
      jobs: ({ before, refused }) => [...before, refused],
      parts: (work, { before, code, first, asks }) => {
        const n = before.length;
        const refusal = respond({ kind: 'rnr', timer: code }, wrPsn(n));
        // at once: a wait for the receiver is no rest
        const toSqd: Step = {
          do: 'modify_qp',
          at: 'requester',
          state: 'IBV_QPS_SQD',
          attr: { en_sqd_async_notify: asks },
          midway: true,
        };
        return {
          rnrRetry: 7,
          retryCnt: 7,
          steps: [
            ...answerUpTo(work, n),
            ...(first ? [refusal, toSqd] : [toSqd, refusal]),
            // what comes before this call comes before the wait is over
            { do: 'sleep', us: 5 },
            { do: 'post_recv', at: 'requester', length: 8, midway: true },
            { do: 'await', packets: requestsFrom(work, n), us: rnrUs(profile, code) },
            ...answerFrom(work, n),
            settle,
            query,
          ],
        };
      },
    }),
  aims: ['drained-too-early', 'drained', 'rc-rnr-wait-over'],
};
