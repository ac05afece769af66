import fc from 'fast-check';
import { alternate, migrates, over, withPath } from '../../path-migration/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { everyJob, jobs } from '../../rc-requester/jobs.ts';
import {
  afterTimeout,
  answerFrom,
  finish,
  postAll,
  requestsFrom,
  scenarios,
  sent,
  workOf,
} from '../../rc-requester/parts.ts';
import { shortTimeout } from '../../rc-requester/timing.ts';
import { settle } from '../../verbs/parts.ts';

/** A QP migrates while requests are unanswered, and nobody answers them on the new path either. */
export const migrationUnanswered: SuiteProperty = {
  id: 'rc-requester/path-migration-unanswered',
  suite: 'rc-requester',
  says: 'The ACK timer runs on where a QP migrates with requests unanswered, which are then sent again by the alternate path.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
        open: jobs(profile, everyJob, 2, { mostMtus: 1, signaled: true }),
        path: alternate(profile),
        timeout: shortTimeout(profile),
        asks: fc.boolean(),
      }),
      ({ mtu }, { before, open, path, timeout, asks }) => {
        const first = workOf(before, mtu);
        const work = workOf([...before, ...open], mtu);
        const n = first.wrs.length;
        const packets = requestsFrom(work, n);
        return {
          timeout,
          retryCnt: 7,
          steps: [
            ...withPath(profile, path, first, { timeout }),
            ...postAll({ wrs: work.wrs.slice(n), mtu }),
            ...sent(profile, packets),
            ...migrates(path, asks),
            afterTimeout(profile, timeout, packets),
            settle,
            ...over(path, answerFrom(work, n)),
            ...finish(profile),
            { do: 'query_qp' },
          ],
        };
      },
    ),
  aims: ['rc-timeout-overdue', 'rc-migration-called', 'rc-migration-followed', 'rc-request-addressee'],
};
