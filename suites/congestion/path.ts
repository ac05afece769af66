import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { SwitchPlan } from '../../spec/congestion.ts';
import { settle } from '../arbitraries/packets.ts';
import { responderScenario } from '../arbitraries/base.ts';
import { base as responderBase } from '../arbitraries/base.ts';
import type { SuiteProperty } from '../property.ts';
import { base, finish, post, requesterScenario } from '../rc-requester/parts.ts';
import type { Fault, Scenario, WrPlan } from '../scenario.ts';
import { congestionOf, wide } from './parts.ts';

const longest = 24_576;

type CrossTraffic = NonNullable<SwitchPlan['cross']>[number];

function cross(rate: number): fc.Arbitrary<CrossTraffic> {
  return fc.record({
    rate: fc.constantFrom(0.3, 0.9, 1.5).map((share) => share * rate),
    bytes: fc.constantFrom(1024, 512, 4096),
    from: fc.nat(10),
    until: fc.integer({ min: 5, max: 30 }),
    ecn: fc.constantFrom<0 | 1 | 2>(2, 1, 0),
  });
}

/** Switches whose thresholds a few dozen packets reach. */
function plan(profile: Profile): fc.Arbitrary<SwitchPlan> {
  const { lineRate } = congestionOf(profile);
  return fc
    .record({
      share: fc.constantFrom(0.1, 0.3, 1),
      low: fc.constantFrom(2000, 0, 8000),
      width: fc.constantFrom(6000, 60_000, 1),
      most: fc.constantFrom(1, 0.5, 0.1),
      seed: fc.nat(0xffff),
      room: fc.constantFrom(0, 12_000, 40_000),
      lossless: fc.boolean(),
    })
    .chain(({ share, low, width, most, seed, room, lossless }) => {
      const rate = share * lineRate;
      const high = low + width;
      return fc.array(cross(rate), { maxLength: 2 }).map((others): SwitchPlan => ({
        rate,
        // room for two of the longest packets, so that a pause comes before a loss
        buffer: high + room + 10_000,
        marking: { low, high, most, seed },
        lossless,
        ...(others.length > 0 && { cross: others }),
      }));
    });
}

interface Traffic {
  path: SwitchPlan;
  lengths: number[];
  faults: Fault[];
}

function traffic(profile: Profile): fc.Arbitrary<Traffic> {
  const { maxMessageBytes } = profile.limits;
  const lengths = [longest, 8192, 1000, 1].map((length) => Math.min(length, maxMessageBytes));
  return fc.record({
    path: plan(profile),
    lengths: fc.array(fc.constantFrom(...lengths), { minLength: 1, maxLength: 5, size: 'max' }),
    // marked by a switch before this one
    faults: fc.array(
      fc.nat(20).map((ordinal): Fault => ({
        direction: 'to-responder',
        match: { class: 'request', ordinal },
        action: { kind: 'set-ce' },
      })),
      { maxLength: 3 },
    ),
  });
}

function writes(lengths: readonly number[]): WrPlan[] {
  return lengths.map((length) => ({
    opcode: 'IBV_WR_RDMA_WRITE',
    length,
    region: 0,
    offset: 0,
    signaled: true,
  }));
}

const aims = [
  'cc-hop-unmarked',
  'cc-hop-marked',
  'cc-hop-ce-kept',
  'cc-hop-marked-at-times',
  'cc-hop-not-ect-kept',
  'cc-hop-forwarded',
  'cc-hop-overflow',
  'cc-hop-lossless',
  'cc-hop-paused',
  'cc-hop-pause-earlier',
  'cc-hop-never-paused',
];

export const throughSwitch: SuiteProperty = {
  id: 'congestion/switch-to-peer',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'Through a congested switch a requester gets CNPs, slows down, and all its requests complete.',
  arbitrary: (profile): fc.Arbitrary<Scenario> =>
    fc
      .record({ chosen: base(profile), drawn: traffic(profile) })
      .map(({ chosen, drawn: { path, lengths, faults } }) =>
        wide(profile, {
          ...requesterScenario(profile, chosen, {
            live: true,
            retryCnt: 7,
            regionLength: longest,
            timeout: 10,
            faults,
            steps: [...writes(lengths).map((wr) => post(wr)), ...finish(profile, 60_000)],
          }),
          path,
        }),
      ),
  aims: [...aims, 'cc-pace-within', 'cc-cut-formula'],
};

export const behindSwitch: SuiteProperty = {
  id: 'congestion/switch-to-device',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'Behind a congested switch a responder tells the requester of marked packets, and carries out all requests.',
  arbitrary: (profile): fc.Arbitrary<Scenario> =>
    fc
      .record({ chosen: responderBase(profile), drawn: traffic(profile) })
      .map(({ chosen, drawn: { path, lengths, faults } }) =>
        wide(profile, {
          ...responderScenario(profile, chosen, {
            regions: [
              {
                length: longest,
                access: ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ'],
                fill: 1,
              },
            ],
            faults,
            steps: [...writes(lengths).map((wr) => post(wr)), settle],
          }),
          path,
        }),
      ),
  aims: [...aims, 'cc-cnp-due', 'cc-cnp-spaced'],
};
