import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { apart, base, common, limitsOf, scenarioOf } from '../../ooo/parts.ts';
import { posts } from '../../ooo/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { jobs, packetsOf, wrOf } from '../../rc-requester/jobs.ts';
import type { Step } from '../../scenario.ts';

const psns = 2 ** 24;

/** Packets in front of PSN 0 are lost, and one behind it has arrived. */
export const toldOverWrap: SuiteProperty = {
  ...common,
  id: 'ooo/requester-told-over-wrap',
  says: 'Packets that are lost in front of PSN 0 are sent again when one behind it is acknowledged selectively.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        all: jobs(profile, ['write', 'send'], 8, { mostMtus: 1 }),
        first: jobs(profile, ['write', 'send'], 3, { mostMtus: 1 }),
        front: fc.integer({ min: 1, max: 4 }),
        behind: fc.nat(3),
        upTo: fc.nat(3),
      })
      .map(({ chosen, all, first, front, behind, upTo }) => {
        const { cap } = limitsOf(profile);
        const work = [...first, ...all].slice(0, Math.floor(cap / 2)).map((j) => wrOf(j, chosen.mtu));
        const { wrs, regions } = apart(work, 2 * chosen.mtu);
        const count = wrs.reduce((n, wr) => n + packetsOf(wr, chosen.mtu), 0);
        const before = Math.min(front, Math.max(1, count - 1));
        const selective = Math.min(count - 1, before + behind);
        const told = (offset: number, beyond?: number): Step => ({
          do: 'respond',
          packet: {
            reply: { kind: 'ack' },
            psn: { from: 'start', offset },
            ...(beyond !== undefined && { selective: { from: 'start' as const, offset: beyond } }),
          },
        });
        const gap = Math.min(upTo, before - 1);
        return scenarioOf(
          profile,
          'requester',
          { ...chosen, startPsn: psns - before },
          {
            scripted: true,
            retryCnt: 7,
            regions,
            steps: [
              ...posts(wrs),
              { do: 'await', packets: count, us: 50 },
              ...(selective > gap ? [told(gap - 1, selective)] : []),
              { do: 'await', packets: before - gap, us: 50 },
              settle,
              told(count - 1),
              settle,
            ],
          },
        );
      }),
  aims: ['ooo-resend-owed', 'ooo-resent-lost'],
};
