import fc from 'fast-check';
import { alternate, migrates, over, staying, withPath } from '../../path-migration/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { dataJobs, everyJob, job, jobs } from '../../rc-requester/jobs.ts';
import {
  answerFrom,
  finish,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  workOf,
  wrPsn,
} from '../../rc-requester/parts.ts';
import { rnrUs } from '../../rc-requester/timing.ts';

/** Codes of waits that are longer than what a migration takes. */
const codes = [20, 16, 14] as const;

export const migrationInWait: SuiteProperty = {
  id: 'rc-requester/path-migration-in-wait',
  suite: 'rc-requester',
  says: 'A QP that migrates while it waits for the receiver waits on, and goes on by the alternate path.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
        refused: job(profile, dataJobs, { mostMtus: 1, signaled: true }),
        path: alternate(profile),
        code: fc.constantFrom(...codes),
        asks: fc.boolean(),
      }),
      ({ mtu }, { before, refused, path, code, asks }) => {
        const first = workOf(before, mtu);
        const work = workOf([...before, refused], mtu);
        const n = first.wrs.length;
        const packets = requestsFrom(work, n);
        return {
          rnrRetry: 6,
          steps: [
            ...withPath(profile, path, first),
            ...postAll({ wrs: work.wrs.slice(n), mtu }),
            ...sent(profile, packets),
            ...staying([respond({ kind: 'rnr', timer: code }, wrPsn(n))]),
            ...migrates(path, asks),
            { do: 'await', packets, us: rnrUs(profile, code) },
            ...over(path, answerFrom(work, n)),
            ...finish(profile),
            { do: 'query_qp' },
          ],
        };
      },
    ),
  aims: ['rc-rnr-wait', 'rc-migration-called', 'rc-migration-followed', 'rc-request-addressee'],
};
