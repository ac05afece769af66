import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { everyJob, jobs } from '../../rc-requester/jobs.ts';
import { receivesFor } from '../../rc-requester/live.ts';
import { base, finish, postAll, requesterScenario, workOf } from '../../rc-requester/parts.ts';
import {
  ackTimeoutUs,
  detectionUs,
  exhaustionUs,
  shortTimeout,
  timingOf,
} from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { query, settle } from '../../verbs/parts.ts';

/** How long the link is away: within the first T of the ACK timer, for a retry or two, or until no retry is left. */
const spans = ['short', 'some', 'long'] as const;

/** Work that is posted while the link is down, or just before. */
export const withoutLink: SuiteProperty = {
  id: 'rc-requester/without-link',
  suite: 'rc-requester',
  requires: ['port-events'],
  says: 'Work of a QP whose link is down fails when no retry is left, or is sent again when the link is back, and never completes unanswered.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        before: jobs(profile, everyJob, 1, { mostMtus: 1 }),
        all: jobs(profile, everyJob, 3, { mostMtus: 2 }),
        posted: fc.constantFrom('without', 'without', 'before'),
        timeout: timingOf(profile).virtual ? fc.constantFrom(10, 8, 14) : shortTimeout(profile),
        retryCnt: timingOf(profile).virtual ? fc.nat(7) : fc.nat(2),
        span: fc.constantFrom(...spans),
      })
      .map(({ chosen, before, all, posted, timeout, retryCnt, span }) => {
        const [first, work] = [workOf(before, chosen.mtu), workOf(all, chosen.mtu)];
        const us = {
          short: ackTimeoutUs(profile, timeout) / 2,
          some: 1.5 * detectionUs(profile, timeout),
          long: exhaustionUs(profile, timeout, retryCnt) + detectionUs(profile, timeout),
        };
        const post = postAll(work);
        const down: Step = { do: 'link', up: false, ...(posted === 'before' && { midway: true }) };
        return requesterScenario(profile, chosen, {
          live: true,
          timeout,
          retryCnt,
          steps: [
            ...receivesFor([...first.wrs, ...work.wrs]),
            ...postAll(first),
            ...finish(profile),
            ...(posted === 'before' ? [...post, down] : [down, ...post]),
            { do: 'finish', us: Math.ceil(us[span]) },
            // a QP may fail in a fourth of the time in which it has to
            ...(span === 'long' ? [{ do: 'sleep', us: Math.ceil(us.long) } as const] : []),
            settle,
            query,
            { do: 'link', up: true, midway: true },
            { do: 'finish', us: 2 * detectionUs(profile, timeout) },
            settle,
            ...finish(profile, detectionUs(profile, timeout)),
            query,
          ],
        });
      }),
  aims: [
    'rc-outage-unanswered',
    'rc-outage-early',
    'rc-outage-overdue',
    'rc-outage-lasts',
    'rc-outage-resent',
    'rc-outage-refused',
    'state-after-port-error',
  ],
};
