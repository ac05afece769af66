import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import { dataJobs, everyJob, job, jobs } from '../rc-requester/jobs.ts';
import { answerFrom, finish, postAll, requestsFrom, scenarios, sent, workOf } from '../rc-requester/parts.ts';
import { notReady } from '../rc-requester/rnr.ts';
import { shortRnrCode } from '../rc-requester/timing.ts';
import { alternate, withPath, staying } from './requester.ts';

export const notReadyWithPath: SuiteProperty = {
  id: 'rc-requester/rnr-with-path',
  suite: 'rc-requester',
  says: 'RNR NAKs use up their own counter and then fail the QP, whether an alternate path is armed or not.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
        refused: job(profile, dataJobs, { mostMtus: 1 }),
        path: alternate(profile),
        code: shortRnrCode(),
        rnrRetry: fc.integer({ min: 0, max: 3 }),
        more: fc.constantFrom(1, 1, 0),
      }),
      ({ mtu }, { before, refused, path, code, rnrRetry, more }) => {
        const first = workOf(before, mtu);
        const work = workOf([...before, refused], mtu);
        const n = first.wrs.length;
        return {
          rnrRetry,
          steps: [
            ...withPath(profile, path, first),
            ...postAll({ wrs: work.wrs.slice(n), mtu }),
            ...sent(profile, requestsFrom(work, n)),
            ...Array.from({ length: rnrRetry + more }, () =>
              staying(notReady(profile, work, n, code)),
            ).flat(),
            ...staying(answerFrom(work, n)),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-rnr-retry-exhausted', 'rc-rnr-retry-counted'],
};
