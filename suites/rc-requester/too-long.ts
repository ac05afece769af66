import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { timesNamed } from '../lists/values.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario } from '../scenario.ts';
import { dataJobs, job, jobs, wrOf } from './jobs.ts';
import {
  answerFrom,
  finish,
  post,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  workOf,
  wrPsn,
} from './parts.ts';

function withLargestMtu({ pathMtus }: Profile, scenario: Scenario): Scenario {
  return { ...scenario, mtu: Math.max(...pathMtus) as Scenario['mtu'] };
}

export const tooLong: SuiteProperty = {
  id: 'rc-requester/too-long',
  suite: 'rc-requester',
  says: 'A message longer than the port takes is not sent, and fails; those before it are, those behind it are flushed.',
  arbitrary: (profile) => {
    const cases = scenarios(
      profile,
      fc.record({
        before: fc.array(job(profile, dataJobs, { mostMtus: 1, signaled: true }), { maxLength: 2 }),
        long: job(profile, [...dataJobs, 'read']),
        behind: jobs(profile, dataJobs, 2, { mostMtus: 1 }),
        asked: fc.boolean(),
      }),
      ({ mtu }, { before, long, behind, asked }) => {
        const { inline: _, ...wr } = wrOf(long, mtu);
        const repeat = timesNamed(profile);
        const length = Math.floor(profile.limits.maxMessageBytes / repeat) + 1;
        return {
          live: true,
          steps: [
            ...before.map((): { do: 'post_recv'; length: number } => ({ do: 'post_recv', length: 4 * mtu })),
            ...(asked ? [{ do: 'query_port' as const }] : []),
            ...postAll(workOf(before, mtu)),
            ...finish(profile),
            post({ ...wr, length, repeat, offset: 0 }),
            ...postAll(workOf(behind, mtu)),
            ...finish(profile),
          ],
        };
      },
    );
    // A real device that does send such a message is to be done with it soon.
    return profile.clock === 'virtual' ? cases : cases.map((scenario) => withLargestMtu(profile, scenario));
  },
  aims: ['send-too-long'],
};

/** At the largest path MTU: at the smallest, its responses may take half of all PSNs, which no window holds. */
export const longestRead: SuiteProperty = {
  id: 'rc-requester/longest-read',
  suite: 'rc-requester',
  says: 'A READ of as many bytes as the port takes is sent, with that length; where the far end refuses it, it fails.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(job(profile, dataJobs, { mostMtus: 1, signaled: true }), { maxLength: 2 }),
        less: fc.constantFrom(0, 0, 1),
        code: fc.constantFrom(2, 1, 3),
      }),
      ({ mtu }, { before, less, code }) => {
        const repeat = timesNamed(profile);
        const length = Math.floor(profile.limits.maxMessageBytes / repeat) - less;
        const work = workOf(before, mtu);
        return {
          steps: [
            ...postAll(work),
            post({ opcode: 'IBV_WR_RDMA_READ', length, repeat, region: 0, offset: 0, signaled: true }),
            ...sent(profile, requestsFrom(work) + 1),
            ...answerFrom(work),
            respond({ kind: 'nak', code }, wrPsn(before.length)),
            ...finish(profile),
          ],
        };
      },
    ).map((scenario) => withLargestMtu(profile, scenario)),
  aims: ['rc-request-target', 'rc-send-failed'],
};
