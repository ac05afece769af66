import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { dataJobs, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, requestsFrom, respond, sent, wrPsn } from '../../rc-requester/parts.ts';
import { query, settle } from '../../verbs/parts.ts';

export const nakInSqd: SuiteProperty = {
  id: 'rc-requester/nak-in-sqd',
  suite: 'rc-requester',
  says: 'What is under way when the QP goes to SQD is sent again for a NAK, as in RTS.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, dataJobs, 3, { mostMtus: 2, signaled: true }),
        asks: fc.boolean(),
      },
      jobs: ({ all }) => all,
      parts: (work, { asks }) => ({
        retryCnt: 7,
        steps: [
          {
            do: 'modify_qp',
            at: 'requester',
            state: 'IBV_QPS_SQD',
            attr: { en_sqd_async_notify: asks },
            midway: true,
          },
          respond({ kind: 'nak', code: 0 }, wrPsn(0)),
          ...sent(profile, requestsFrom(work)),
          // no answer would make up for what is not sent again
          settle,
          ...answerFrom(work),
          settle,
          query,
        ],
      }),
    }),
  aims: ['rc-send-queue-goes-on', 'drained'],
};
