import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { jobs, wrOf } from '../rc-requester/jobs.ts';
import type { ResponsePsn, Step } from '../scenario.ts';
import { apart, common, limitsOf, pause, scenarios } from './parts.ts';
import { posts } from './requester.ts';

/** An Acknowledge of all before the `upTo`-th packet, and of the `selective`-th by itself. */
function told(upTo: number, selective?: number): Step {
  const psn: ResponsePsn = { from: 'start', offset: upTo - 1 };
  return {
    do: 'respond',
    packet: {
      reply: { kind: 'ack' },
      psn,
      ...(selective !== undefined && { selective: { from: 'start' as const, offset: selective } }),
    },
  };
}

/** Packets that are lost, sent again, and lost once more, while a later one has arrived. */
export const lostAgain: SuiteProperty = {
  ...common,
  id: 'ooo/requester-lost-again',
  says: 'Packets that are lost once more count as lost anew when the timer has run out, and all of them are sent again then.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: jobs(profile, ['write', 'send'], 8, { mostMtus: 1 }),
        first: jobs(profile, ['write', 'send'], 3, { mostMtus: 1 }),
        arrived: fc.nat(7),
        rounds: fc.integer({ min: 1, max: 2 }),
        gained: fc.nat(2),
        again: fc.boolean(),
        us: fc.constantFrom(0, 10, 40),
      }),
      ({ mtu }, { all, first, arrived, rounds, gained, again, us }) => {
        const { cap, rto } = limitsOf(profile);
        const work = [...first, ...all].slice(0, cap).map((j) => wrOf(j, mtu));
        const { wrs, regions } = apart(work, 2 * mtu);
        const count = wrs.length;
        // at least two in front of the one that has arrived, where there are so many
        const selective = Math.min(count - 1, 2 + arrived);
        const lost = selective;
        const patience = Math.ceil((4 * rto.high) / 1000) + 100;
        return {
          scripted: true,
          retryCnt: 7,
          regions,
          steps: [
            ...posts(wrs),
            { do: 'await', packets: count, us: 50 },
            told(0, selective),
            { do: 'await', packets: lost, us: 50 },
            ...Array.from({ length: rounds }, (_, i): Step[] => [
              { do: 'await', packets: lost, us: patience },
              ...pause(us),
              ...(again ? [told(Math.min(gained * i, lost), selective)] : []),
              settle,
            ]).flat(),
            told(count),
            settle,
          ],
        };
      },
    ),
  aims: ['ooo-resend-owed', 'ooo-resent-lost', 'ooo-resent-timeout', 'ooo-timer-high-overdue'],
};
