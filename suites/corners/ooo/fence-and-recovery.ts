import fc from 'fast-check';
import { common, ms, scenarios } from '../../ooo/parts.ts';
import { finished } from '../../ooo/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { answeredJobs, dataJobs, job, jobs, wrOf } from '../../rc-requester/jobs.ts';
import type { Fault } from '../../scenario.ts';

/** READs and ATOMICs in front of a fence, which are lost the first times, or whose answers are. */
export const fenceAndRecovery: SuiteProperty = {
  ...common,
  id: 'ooo/fence-and-recovery',
  says: 'A fenced work request waits for the READs and ATOMICs in front of it also while these are asked for again.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        first: jobs(profile, answeredJobs, 2, { mostMtus: 2 }),
        fenced: job(profile, dataJobs, { mostMtus: 1, signaled: true }),
        requests: fc.boolean(),
        times: fc.integer({ min: 1, max: 2 }),
      }),
      ({ mtu }, { first, fenced, requests, times }) => {
        const wrs = [...first, { ...fenced, fence: true }].map((one) => wrOf(one, mtu));
        const lost: Fault[] = Array.from({ length: times }, (_, transmission) =>
          first.map(({ kind }, psnOffset): Fault => {
            if (requests)
              return {
                direction: 'to-responder',
                match: { psnOffset, transmission },
                action: { kind: 'drop' },
              };
            const from = kind === 'read' ? 'read-response' : 'atomic-ack';
            return {
              direction: 'to-requester',
              match: { class: from, ordinal: transmission },
              action: { kind: 'drop' },
            };
          }),
        ).flat();
        return { steps: finished(wrs, 200 + (times + 1) * 8 * ms), faults: lost };
      },
    ),
  aims: ['ooo-fence-reads', 'ooo-resent-timeout'],
};
