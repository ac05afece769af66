import { describe, expect, it } from 'vitest';
import { testSeed } from '../seed.ts';
import { scapyMissing, tunnelled } from '../wire/scapy-tunnels.ts';
import { clean, faults } from './catalogue.ts';
import { checked } from './checked.ts';

const around = [
  'vxlan',
  'geneve',
  'gre-ethernet',
  'erspan-2',
  'erspan-3',
  'erspan-2-of-vxlan',
  'mpls-ethernet',
];

/** Frames of a capture; scapy builds a thousand a second, and the longest captures are thousands of the same ones. */
const most = 1000;

/** Half of the catalogue; `FC_SEED=2` takes the other half. */
const all = [...[...faults].flatMap(([, list]) => list), ...clean]
  .filter((one) => !('snaplen' in one) || one.snaplen === undefined)
  .filter((_, i) => i % 2 === testSeed % 2)
  .filter(({ talk }) => talk.taken.length <= most);

describe.skipIf(scapyMissing !== undefined)(
  `the catalogue in tunnels${scapyMissing ? ` (${scapyMissing})` : ''}`,
  () => {
    it('is judged as it is without them', { timeout: 300_000 }, async () => {
      const frames = all.flatMap(({ talk }, i) =>
        talk.taken.map(({ frame }) => [around[i % around.length]!, frame] as const),
      );
      const within = tunnelled(frames);
      expect(all.length).toBeGreaterThan(100);
      let next = 0;
      for (const { says, talk, ...how } of all) {
        const taken = talk.taken.map((one) => ({ ...one, frame: within[next++]! }));
        expect([says, await checked(taken, how)]).toEqual([says, await checked(talk.taken, how)]);
      }
    });
  },
);
