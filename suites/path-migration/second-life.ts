import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { dataJobs, everyJob, job, jobs } from '../rc-requester/jobs.ts';
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
} from '../rc-requester/parts.ts';
import type { Step } from '../scenario.ts';
import { alternate, withPath, over, staying } from './requester.ts';

/** What has become of the alternate path when the life ends. */
const ends = ['armed', 'waiting', 'migrated'] as const;

export const migrationSecondLife: SuiteProperty = {
  id: 'rc-requester/path-migration-second-life',
  suite: 'rc-requester',
  says: 'RESET takes the alternate path away: in the life that follows nothing is armed, and spent retries end the QP.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
        path: alternate(profile),
        end: fc.constantFrom(...ends),
        one: job(profile, dataJobs, { mostMtus: 1, signaled: true }),
        spent: fc.boolean(),
      }),
      ({ mtu }, { before, path, end, one, spent }) => {
        const first = workOf(before, mtu);
        const next = workOf([one], mtu);
        const retryCnt = 2;
        const to = (state: 'RESET' | 'INIT' | 'RTR' | 'RTS'): Step => ({
          do: 'modify_qp',
          at: 'requester',
          state: `IBV_QPS_${state}`,
        });
        const nak: Step[] = [
          ...staying([respond({ kind: 'nak', code: 0 }, wrPsn(first.wrs.length))]),
          ...sent(profile, requestsFrom(next)),
        ];
        const migrated: Step = {
          do: 'modify_qp',
          at: 'requester',
          attr: { path_mig_state: 'IBV_MIG_MIGRATED' },
        };
        const answers = answerFrom(workOf([...before, one], mtu), first.wrs.length);
        return {
          retryCnt,
          steps: [
            ...withPath(profile, path, first, { armed: end !== 'waiting' }),
            ...(end === 'migrated' ? [migrated, settle] : []),
            to('RESET'),
            to('INIT'),
            to('RTR'),
            to('RTS'),
            { do: 'query_qp' },
            ...postAll(next),
            ...sent(profile, requestsFrom(next)),
            ...(spent
              ? Array.from({ length: retryCnt + 1 }, () => nak).flat()
              : // a packet over what was the other path makes nobody migrate
                [...over(path, answers), settle, ...over('peer', answers)]),
            ...finish(profile),
            { do: 'query_qp' },
          ],
        };
      },
    ),
  aims: ['rc-retry-exhausted', 'rc-migration-over', 'rc-response-foreign-source'],
};
