import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import { apart, common, limitsOf, pause, scenarios } from '../../ooo/parts.ts';
import { posts } from '../../ooo/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { jobs, wrOf } from '../../rc-requester/jobs.ts';
import { respond } from '../../rc-requester/parts.ts';
import type { Reply, Step } from '../../scenario.ts';

/** RNR NAKs of 10 and 20 us, and NAKs that are fatal. */
const refusals: Grid<Reply> = {
  name: 'refusal of what is acknowledged already',
  cells: () => [
    { kind: 'rnr', timer: 1 },
    { kind: 'nak', code: 1 },
    { kind: 'nak', code: 2 },
    { kind: 'rnr', timer: 2 },
    { kind: 'nak', code: 3 },
  ],
};

/** A refusal that the network has kept back comes when its packet has been acknowledged. */
export const lateRefusals: SuiteProperty = {
  ...common,
  id: 'ooo/requester-late-refusals',
  says: 'A NAK of a packet that is acknowledged already stops nothing and fails nothing, and has nothing sent again.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        refusal: anyCell(refusals, profile),
        all: jobs(profile, ['write', 'send', 'write-imm'], 5, { mostMtus: 0 }),
        first: jobs(profile, ['write', 'send'], 2, { mostMtus: 0 }),
        acknowledged: fc.nat(4),
        back: fc.nat(4),
        us: fc.constantFrom(40, 0, 60),
        more: jobs(profile, ['write', 'send'], 2, { mostMtus: 0 }),
      }),
      ({ mtu }, { refusal, all, first, acknowledged, back, us, more }) => {
        const { cap } = limitsOf(profile);
        const early = [...first, ...all].slice(0, cap);
        const work = [...early, ...more].map((j) => wrOf(j, mtu));
        const { wrs, regions } = apart(work, 2 * mtu);
        const count = early.length;
        // one stays open where there are two
        const known = Math.max(1, Math.min(acknowledged + 1, count - 1));
        const said = (reply: Reply, offset: number): Step => respond(reply, { from: 'start', offset });
        return {
          scripted: true,
          retryCnt: 7,
          rnrRetry: 7,
          regions,
          steps: [
            ...posts(wrs.slice(0, count)),
            { do: 'await', packets: count, us: 50 },
            said({ kind: 'ack' }, known - 1),
            said(refusal, Math.max(0, known - 1 - back)),
            ...pause(us),
            ...posts(wrs.slice(count)),
            { do: 'await', packets: more.length, us: 50 },
            settle,
            said({ kind: 'ack' }, count - 1),
            settle,
          ],
        };
      },
    ),
  grids: [refusals],
  aims: ['ooo-send-owed', 'ooo-resent-unprompted', 'ooo-retired-completes', 'ooo-failed-unprompted'],
};
