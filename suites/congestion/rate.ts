import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { SuiteProperty } from '../property.ts';
import { finish, scenarios } from '../rc-requester/parts.ts';
import type { PacketDefect, Step, WrPlan } from '../scenario.ts';
import { post } from '../unreliable/requests.ts';
import { cnp, cut, dcqcnOf, sleep, wide } from './parts.ts';

/** Bytes of the longest message of these scenarios. */
export const longest = 32_768;

/** What happens to a QP one after the other. */
export type Turn =
  { what: 'post'; length: number } | { what: 'cnps'; count: number } | { what: 'wait'; ns: number };

/** Waits in relation to what the reaction point measures time by. */
function wait(profile: Profile): fc.Arbitrary<Turn> {
  const { timer, alphaSlot, decreaseSlot } = dcqcnOf(profile);
  return fc
    .record({
      span: fc.constantFrom(decreaseSlot, alphaSlot, timer),
      times: fc.constantFrom(0.4, 0.9, 1.1, 2.5, 4),
    })
    .map(({ span, times }): Turn => ({ what: 'wait', ns: span * times }));
}

function cnps(): fc.Arbitrary<Turn> {
  return fc.integer({ min: 1, max: 3 }).map((count): Turn => ({ what: 'cnps', count }));
}

function message(): fc.Arbitrary<Turn> {
  return fc
    .oneof({ withCrossShrink: true }, fc.nat(2000), fc.constantFrom(4096, 16_384, longest))
    .map((length): Turn => ({ what: 'post', length }));
}

export function turns(profile: Profile, most: number): fc.Arbitrary<Turn[]> {
  return fc.array(
    fc.oneof(
      { weight: 2, arbitrary: message() },
      { weight: 2, arbitrary: cnps() },
      { weight: 3, arbitrary: wait(profile) },
    ),
    { minLength: 1, maxLength: most, size: 'max' },
  );
}

export function write(length: number): WrPlan {
  return { opcode: 'IBV_WR_RDMA_WRITE', length, region: 0, offset: 0, signaled: true };
}

export function play(all: readonly Turn[]): Step[] {
  return all.flatMap((turn): Step[] => {
    switch (turn.what) {
      case 'post':
        return [post(write(turn.length))];
      case 'cnps':
        return Array.from({ length: turn.count }, () => cnp({ ecn: 1 }));
      case 'wait':
        return [sleep(turn.ns)];
    }
  });
}

export const rateAims = [
  'cc-rate-first-cnp',
  'cc-rate-more-cnps',
  'cc-rate-cnp-cuts-nothing',
  'cc-cnp-noticed',
  'cc-cut-formula',
  'cc-cut-target',
  'cc-cut-alpha',
  'cc-cut-owed',
  'cc-alpha-rises',
  'cc-alpha-decays',
  'cc-alpha-first-slot',
  'cc-alpha-alone',
  'cc-alpha-slot-owed',
  'cc-fast-recovery',
  'cc-active-begins',
  'cc-increase-due',
  'cc-timer-owed',
  'cc-bytes-owed',
  'cc-alpha-range',
  'cc-rate-range',
  'cc-target-range',
  'cc-pace-within',
  'cc-pace-kept',
  'cc-alpha-early',
  'cc-cut-early',
  'cc-cut-unprompted',
];

export const rates: SuiteProperty = {
  id: 'congestion/rates',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'CNPs cut the rate of the QP that they name, by the formula; without them it grows back, in stages.',
  arbitrary: (profile) =>
    scenarios(profile, turns(profile, 14), (_, all) => ({
      live: true,
      retryCnt: 7,
      regionLength: longest,
      steps: [...play(all), ...finish(profile)],
    })).map((scenario) => wide(profile, scenario)),
  aims: rateAims,
};

/** Increases in which half of the distance to the line rate is gone each time, until nothing is left of it. */
const back = 45;

/** Messages behind the last cut. */
function sentBehind(profile: Profile): fc.Arbitrary<number[]> {
  const { bytes } = dcqcnOf(profile);
  return fc.oneof(
    { withCrossShrink: true },
    // enough for hyper increase by the byte counter as well
    { weight: 3, arbitrary: fc.constantFrom(3, 4).map((n) => Array<number>(n).fill(longest)) },
    fc.array(fc.constantFrom(16_384, 3000, longest), { maxLength: 4, size: 'max' }),
    // one increase each
    fc.constant(Array<number>(3).fill(Math.min(longest, bytes))),
  );
}

/** Cuts, and then traffic and time enough for every stage of the increase. */
export const recovery: SuiteProperty = {
  id: 'congestion/recovery',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'After the last CNP the rate grows through fast recovery, active and hyper increase, and never falls.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        // the later cuts leave a target below the line rate
        cuts: fc.constantFrom(3, 2, 4, 1),
        sent: sentBehind(profile),
        times: fc.constantFrom(0.1, 0.7, 1.2),
        behind: fc.constantFrom(12, back, 8, 3),
        again: fc.boolean(),
      }),
      (_, { cuts, sent, times, behind, again }) => {
        const dcqcn = dcqcnOf(profile);
        const { timer } = dcqcn;
        const once = cut(dcqcn);
        return {
          live: true,
          retryCnt: 7,
          regionLength: longest,
          steps: [
            // only from the first cut the line rate can be reached again by then
            ...Array.from({ length: behind === back ? 0 : cuts - 1 }, () => [
              ...once,
              sleep(timer * 1.1),
            ]).flat(),
            ...once,
            ...sent.flatMap((length) => [post(write(length)), sleep(timer * times)]),
            sleep(timer * behind),
            ...(again ? [cnp({ ecn: 1 }), sleep(timer)] : []),
            ...finish(profile),
          ],
        };
      },
    ).map((scenario) => wide(profile, scenario)),
  aims: [
    ...rateAims,
    'cc-active-increase',
    'cc-hyper-begins',
    'cc-hyper-increase',
    'cc-increase-of-any-stage',
    'cc-rate-cnp-at-line',
  ],
};

export const floor: SuiteProperty = {
  id: 'congestion/least-rate',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'However often CNPs name it, a QP keeps the least rate.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cuts: fc.integer({ min: 4, max: 10 }),
        times: fc.constantFrom(1.05, 1.3),
        sent: fc.array(fc.constantFrom(64, 1000, 8000), { maxLength: 3 }),
      }),
      (_, { cuts, times, sent }) => ({
        live: true,
        retryCnt: 7,
        regionLength: longest,
        steps: [
          ...Array.from({ length: cuts }, () => [
            cnp({ ecn: 1 }),
            sleep(dcqcnOf(profile).decreaseSlot * times),
          ]).flat(),
          ...sent.map((length) => post(write(length))),
          ...finish(profile),
        ],
      }),
    ).map((scenario) => wide(profile, scenario)),
  aims: ['cc-rate-range', 'cc-cut-formula', 'cc-alpha-rises', 'cc-pace-within'],
};

/** Cuts while a part of what the byte counter and the timer count to has passed. */
export const interrupted: SuiteProperty = {
  id: 'congestion/counters',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'A cut starts timer, byte counter and stages anew.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        parts: fc.array(
          fc.record({
            share: fc.constantFrom(0.7, 0.4, 0.95, 1.2, 2.4),
            timer: fc.constantFrom(0, 0.3, 0.8, 1.1),
          }),
          { minLength: 2, maxLength: 6, size: 'max' },
        ),
      }),
      (_, { parts }) => {
        const { bytes, timer, decreaseSlot } = dcqcnOf(profile);
        return {
          live: true,
          retryCnt: 7,
          regionLength: longest,
          steps: [
            ...parts.flatMap(({ share, timer: part }): Step[] => [
              cnp({ ecn: 1 }),
              sleep(decreaseSlot),
              post(write(Math.min(longest, Math.round(share * bytes)))),
              ...(part === 0 ? [] : [sleep(part * timer)]),
            ]),
            ...finish(profile),
          ],
        };
      },
    ).map((scenario) => wide(profile, scenario)),
  aims: [
    'cc-bytes-owed',
    'cc-bytes-early',
    'cc-timer-early',
    'cc-timer-owed',
    'cc-fast-recovery',
    'cc-cut-target',
  ],
};

const strayDefects = {
  icrc: { kind: 'icrc' },
  tver: { kind: 'tver', value: 1 },
  pkey: { kind: 'pkey', value: 0x1234 },
} satisfies Record<string, PacketDefect>;

/** What is no reason to cut, or need not be one: CNPs for others, damaged and odd ones, and other packets with the ECN bits of a CNP. */
export const strays: SuiteProperty = {
  id: 'congestion/stray-cnps',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'A CNP is known by its opcode, whatever its ECN bits are; one that is damaged or names nobody cuts nothing, one with another P_Key or TVer may.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: fc.array(
          fc.record({
            kind: fc.constantFrom('sound', 'nobody', 'icrc', 'tver', 'pkey', 'answer'),
            ecn: fc.constantFrom<0 | 1 | 2 | 3>(1, 2, 0, 3),
            turn: fc.oneof(message(), wait(profile)),
          }),
          { minLength: 1, maxLength: 6, size: 'max' },
        ),
      }),
      (_, { all }) => ({
        live: true,
        retryCnt: 7,
        regionLength: longest,
        steps: [
          ...all.flatMap(({ kind, ecn, turn }): Step[] => {
            switch (kind) {
              case 'sound':
                return [cnp({ ecn }), ...play([turn])];
              case 'nobody':
                return [cnp({ ecn, qp: 'nobody' }), ...play([turn])];
              case 'icrc':
              case 'tver':
              case 'pkey':
                return [cnp({ ecn }, strayDefects[kind]), ...play([turn])];
              case 'answer':
                return [
                  ...play([turn]),
                  {
                    do: 'respond',
                    packet: { reply: { kind: 'ack' }, psn: { from: 'start', offset: -1 }, ecn },
                  },
                ];
            }
          }),
          ...finish(profile),
        ],
      }),
    ).map((scenario) => wide(profile, scenario)),
  aims: ['cc-cnp-noticed', 'cc-cnp-for-nobody', 'cc-rate-cnp-unprompted'],
};
