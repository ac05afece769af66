import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import { apart, common, limitsOf, scenarios } from '../../ooo/parts.ts';
import { posts } from '../../ooo/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { jobs, wrOf } from '../../rc-requester/jobs.ts';
import { respond } from '../../rc-requester/parts.ts';
import type { Reply, Step } from '../../scenario.ts';

interface Ghost {
  reply: Reply;
  /** packets between the newest that was sent and the one that it names */
  beyond: number;
}

const replies: readonly Reply[] = [{ kind: 'ack' }, { kind: 'nak', code: 1 }, { kind: 'rnr', timer: 1 }];

const ghosts: Grid<Ghost> = {
  name: 'response that names a PSN which was never sent',
  cells: () => pairs([0, 1, 7, 4096], replies).map(([beyond, reply]) => ({ reply, beyond })),
};

/** A response of another connection names a PSN that this one has yet to send. */
export const unsentAcknowledged: SuiteProperty = {
  ...common,
  id: 'ooo/requester-unsent-acknowledged',
  says: 'A response that names a PSN which was never sent answers nothing.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        ghost: anyCell(ghosts, profile),
        all: jobs(profile, ['write', 'send', 'write-imm'], 4, { mostMtus: 0 }),
        known: fc.nat(3),
        more: jobs(profile, ['write', 'send'], 2, { mostMtus: 0 }),
      }),
      ({ mtu }, { ghost: { reply, beyond }, all, known, more }) => {
        const first = all.slice(0, limitsOf(profile).cap);
        const { wrs, regions } = apart(
          [...first, ...more].map((j) => wrOf(j, mtu)),
          2 * mtu,
        );
        const count = first.length;
        const said = (told: Reply, offset: number): Step => respond(told, { from: 'start', offset });
        return {
          scripted: true,
          retryCnt: 7,
          rnrRetry: 7,
          timeout: 0,
          regions,
          steps: [
            ...posts(wrs.slice(0, count)),
            { do: 'await', packets: count, us: 50 },
            ...(known === 0 ? [] : [said({ kind: 'ack' }, Math.min(known, count) - 1)]),
            said(reply, count + beyond),
            settle,
            ...posts(wrs.slice(count)),
            { do: 'await', packets: more.length, us: 50 },
            settle,
            said({ kind: 'ack' }, wrs.length - 1),
            settle,
          ],
        };
      },
    ),
  grids: [ghosts],
  aims: ['ooo-not-retired', 'ooo-send-owed', 'ooo-failed-unprompted', 'ooo-retired-completes'],
};
