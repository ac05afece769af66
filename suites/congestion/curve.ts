import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { SwitchPlan } from '../../spec/congestion.ts';
import type { SuiteProperty } from '../property.ts';
import { base, finish, post, requesterScenario } from '../rc-requester/parts.ts';
import type { Scenario } from '../scenario.ts';
import { congestionOf, wide } from './parts.ts';

/** Other traffic comes half as fast again as it leaves, so that each of its packets leaves a third of itself in the queue. */
const excess = 1.5;
const left = 1 / 3;

/** A switch whose queue grows from nothing beyond the high threshold while some hundred packets come. */
function plan(profile: Profile): fc.Arbitrary<SwitchPlan> {
  const { lineRate } = congestionOf(profile);
  return fc
    .record({
      share: fc.constantFrom(0.1, 0.3),
      low: fc.constantFrom(2000, 0, 8000),
      packets: fc.integer({ min: 600, max: 900 }),
      bytes: fc.constantFrom(1024, 512),
      most: fc.constantFrom(1, 0.8),
      seed: fc.nat(0xffff),
      lossless: fc.boolean(),
      ecn: fc.constantFrom<1 | 2>(2, 1),
    })
    .map(({ share, low, packets, bytes, most, seed, lossless, ecn }) => {
      const rate = share * lineRate;
      const high = low + packets * bytes * left;
      const until = ((high + 20 * bytes) / left / (excess * rate)) * 8e6;
      return {
        rate,
        buffer: high + 100_000,
        marking: { low, high, most, seed },
        lossless,
        cross: [{ rate: excess * rate, bytes, from: 0, until, ecn }],
      };
    });
}

export const markingCurve: SuiteProperty = {
  id: 'congestion/marking-curve',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'While the queue of a switch grows, marks become more frequent in a straight line.',
  arbitrary: (profile): fc.Arbitrary<Scenario> =>
    fc.record({ chosen: base(profile), path: plan(profile) }).map(({ chosen, path }) =>
      wide(profile, {
        ...requesterScenario(profile, chosen, {
          live: true,
          retryCnt: 7,
          regionLength: 1000,
          timeout: 10,
          steps: [
            post({ opcode: 'IBV_WR_RDMA_WRITE', length: 1000, region: 0, offset: 0, signaled: true }),
            ...finish(profile, 60_000),
          ],
        }),
        path,
      }),
    ),
  aims: ['cc-hop-marked-at-times', 'cc-hop-unmarked', 'cc-hop-marked', 'cc-hop-forwarded'],
};
