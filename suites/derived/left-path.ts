import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import { alternate, withPath, over, staying } from '../path-migration/requester.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { everyJob, jobs } from '../rc-requester/jobs.ts';
import { answerFrom, finish, postAll, requestsFrom, scenarios, sent, workOf } from '../rc-requester/parts.ts';

export const leftPath: SuiteProperty = {
  id: 'rc-requester/path-left',
  suite: 'rc-requester',
  says: 'Behind its migration a QP takes no answer that comes over the path it has left, and all that come over the other.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
        asking: jobs(profile, everyJob, 1, { mostMtus: 1 }),
        after: jobs(profile, everyJob, 2, { mostMtus: 2 }),
        path: alternate(profile),
        stays: fc.boolean(),
        rests: fc.boolean(),
      }),
      ({ mtu }, { before, asking, after, path, stays, rests }) => {
        const first = workOf(before, mtu);
        const work = workOf([...before, ...asking], mtu);
        const whole = workOf([...before, ...asking, ...after], mtu);
        const n = first.wrs.length;
        const m = work.wrs.length;
        const rest: Step[] = rests ? [settle] : [];
        const old = answerFrom(whole, m);
        return {
          steps: [
            ...withPath(profile, path, first),
            ...postAll({ wrs: work.wrs.slice(n), mtu }),
            ...sent(profile, requestsFrom(work, n)),
            ...over(path, answerFrom(work, n)),
            settle,
            ...postAll({ wrs: whole.wrs.slice(m), mtu }),
            ...sent(profile, requestsFrom(whole, m)),
            ...(stays ? staying(old) : old),
            ...rest,
            ...over(path, answerFrom(whole, m)),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-response-foreign-source', 'rc-migration-followed', 'rc-migration-over'],
};
