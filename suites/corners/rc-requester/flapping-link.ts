import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { everyJob, jobs } from '../../rc-requester/jobs.ts';
import { postAll, requestsFrom, scenarios, sent, share, workOf } from '../../rc-requester/parts.ts';
import { ackTimeoutUs, exhaustionUs, shortTimeout, timingOf } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { query, settle } from '../../verbs/parts.ts';

const link = (up: boolean): Step => ({ do: 'link', up, midway: true });
const pause = (us: number): Step => ({ do: 'sleep', us: Math.ceil(us) });

/** A link that comes and goes, each time before the retries are spent, until they must be all the same. */
export const flappingLink: SuiteProperty = {
  id: 'rc-requester/flapping-link',
  suite: 'rc-requester',
  requires: ['port-events'],
  says: 'A link that comes and goes gives no retry back: a QP that nobody answers fails as soon as without that.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        timeout: timingOf(profile).virtual ? fc.constantFrom(10, 8, 14) : shortTimeout(profile),
        retryCnt: fc.integer({ min: 1, max: timingOf(profile).virtual ? 4 : 1 }),
        away: share(),
      }),
      ({ mtu }, { all, timeout, retryCnt, away }) => {
        const work = workOf(all, mtu);
        const turn = (3 / 4) * (retryCnt + 1) * ackTimeoutUs(profile, timeout);
        const turns = Math.ceil(exhaustionUs(profile, timeout, retryCnt) / turn) + 1;
        const one: Step[] = [
          link(false),
          pause(Math.max(1, away * turn)),
          link(true),
          pause(Math.max(1, (1 - away) * turn)),
        ];
        return {
          timeout,
          retryCnt,
          steps: [
            ...postAll(work),
            ...sent(profile, requestsFrom(work)),
            ...Array.from({ length: turns }, () => one).flat(),
            settle,
            query,
          ],
        };
      },
    ),
  aims: ['rc-outage-overdue', 'rc-outage-early', 'rc-outage-lasts', 'state-after-port-error'],
};
