import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import { apart, common, limitsOf, scenarios } from '../../ooo/parts.ts';
import { posts } from '../../ooo/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { answeredJobs, job, wrOf } from '../../rc-requester/jobs.ts';
import { respond } from '../../rc-requester/parts.ts';

/** How many READs and ATOMICs are open, against the number from which on the timeout is the high one. */
const numbers: Grid<number> = {
  name: 'acknowledged READs and ATOMICs in flight, from the number on that is no longer few',
  cells: () => [0, -1, 1],
};

/** The responses of READs and ATOMICs are lost, and an Acknowledge of a later packet tells that the requests have come. */
export const readsAcknowledged: SuiteProperty = {
  ...common,
  id: 'ooo/requester-reads-acknowledged',
  says: 'READs and ATOMICs that are acknowledged and not answered are in flight: the timeout is that of so many packets.',
  requires: [...common.requires, 'irn'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        more: anyCell(numbers, profile),
        all: fc.array(job(profile, answeredJobs, { mostMtus: 1 }), {
          minLength: 1,
          maxLength: 8,
          size: 'max',
        }),
        known: fc.nat(1),
        wait: fc.constantFrom(1.5, 4.5),
        high: fc.boolean(),
      }),
      ({ mtu }, { more, all, known, wait, high }) => {
        const { cap, rto } = limitsOf(profile);
        const most = Math.min(cap, profile.limits.maxDestRdAtomic);
        const count = Math.max(1, Math.min(rto.few + more, most));
        const jobs = Array.from({ length: count }, (_, i) => all[i % all.length]!);
        const { wrs, regions } = apart(
          jobs.map((j) => wrOf(j, mtu)),
          2 * mtu,
        );
        return {
          scripted: true,
          retryCnt: 7,
          depth: Math.min(most, count),
          regions: regions.map((region) => ({
            ...region,
            access: [...region.access, 'IBV_ACCESS_REMOTE_ATOMIC'],
          })),
          steps: [
            ...posts(wrs),
            { do: 'await', packets: count, us: 50 },
            respond({ kind: 'ack' }, { from: 'start', offset: Math.max(0, count - 1 - known) }),
            { do: 'sleep', us: Math.ceil((wait * (high ? rto.high : rto.low)) / 1000) },
            settle,
          ],
        };
      },
    ),
  grids: [numbers],
  aims: ['ooo-timer-high-early', 'ooo-timer-low-early', 'ooo-timer-low-overdue', 'ooo-timer-high-overdue'],
};
