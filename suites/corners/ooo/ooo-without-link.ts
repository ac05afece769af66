import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { inject, settle } from '../../arbitraries/packets.ts';
import { messages, packetsOf, receivesOf } from '../../ooo/messages.ts';
import { common, scenarios } from '../../ooo/parts.ts';
import { posts } from '../../ooo/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { everyJob, jobs, wrOf } from '../../rc-requester/jobs.ts';
import type { Scenario, Step } from '../../scenario.ts';

const link = (up: boolean, midway = false): Step => ({ do: 'link', up, ...(midway && { midway: true }) });

/** Packets that come while the link is down, and the same with it. */
function requests(profile: Profile): fc.Arbitrary<Scenario> {
  return scenarios(
    profile,
    'responder',
    fc.record({ all: messages(profile), lost: fc.nat(8), waits: fc.boolean() }),
    ({ mtu }, { all, lost, waits }) => {
      const packets = packetsOf(all, mtu);
      const at = lost % packets.length;
      const late = packets.slice(at);
      return {
        depth: Math.min(16, profile.limits.maxDestRdAtomic),
        steps: [
          ...receivesOf(all, mtu),
          ...packets.slice(0, at).map(inject),
          settle,
          link(false),
          ...late.map(inject),
          ...(waits ? [settle] : []),
          link(true, !waits),
          ...late.map((): Step => ({ do: 'reinject', back: late.length - 1 })),
          settle,
        ],
      };
    },
  );
}

/** Work that is posted while the link is down. */
function work(profile: Profile): fc.Arbitrary<Scenario> {
  return scenarios(profile, 'requester', jobs(profile, everyJob, 3), ({ mtu }, all) => ({
    scripted: true,
    steps: [link(false), ...posts(all.map((j) => wrOf(j, mtu))), settle, link(true, true), settle],
  }));
}

export const oooWithoutLink: SuiteProperty = {
  ...common,
  id: 'ooo/without-link',
  requires: [...common.requires, 'port-events'],
  says: 'Packets that are sent to a port without a link do nothing, and work that is posted without one does not complete with success.',
  arbitrary: (profile) => fc.oneof(requests(profile), work(profile)),
  aims: ['port-sends-linked', 'ooo-memory-whole', 'ooo-not-retired', 'state-after-port-error'],
};
