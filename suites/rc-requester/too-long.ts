import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Scenario } from '../scenario.ts';
import { dataJobs, job, jobs, wrOf } from './jobs.ts';
import { finish, post, postAll, scenarios, workOf } from './parts.ts';

/** Times that the memory of a long message is named. */
const repeat = 32;

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
    return profile.clock === 'virtual'
      ? cases
      : cases.map((scenario) => ({ ...scenario, mtu: Math.max(...profile.pathMtus) as Scenario['mtu'] }));
  },
  aims: ['send-too-long'],
};
