import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SwitchPlan } from '../../../spec/congestion.ts';
import { seeded } from '../../../adapters/seeded.ts';
import { CongestionTrace } from './trace.ts';

const path: SwitchPlan = {
  rate: 10e9,
  buffer: 100_000,
  marking: { low: 5000, high: 50_000, most: 0.5, seed: 1 },
  lossless: false,
};
const hops = (plan: Partial<SwitchPlan> = {}): CongestionTrace =>
  new CongestionTrace({ path: { ...path, ...plan } });

describe('a switch', () => {
  it.each([
    ['marks nothing up to the low threshold', { queued: 5000, in: 2, out: 2 }, []],
    ['and not there', { queued: 5000, in: 2, out: 3 }, ['cc-hop-unmarked']],
    ['may mark between the thresholds', { queued: 5001, in: 1, out: 1 }, []],
    [
      'and does not turn one code point into the other',
      { queued: 50_000, in: 2, out: 1 },
      ['cc-hop-marked-at-times'],
    ],
    ['marks everything above the high one', { queued: 50_001, in: 1, out: 3 }, []],
    ['either code point', { queued: 50_001, in: 1, out: 1 }, ['cc-hop-marked']],
    ['but what is not ECN capable', { queued: 50_001, in: 0, out: 3 }, ['cc-hop-not-ect-kept']],
    ['keeps marks', { queued: 0, in: 3, out: 2 }, ['cc-hop-ce-kept']],
    ['drops what has no room', { queued: 99_500, in: 2, out: 2, fate: 'dropped' }, []],
    ['does not keep it', { queued: 99_500, in: 2, out: 3 }, ['cc-hop-overflow']],
    ['forwards what has room', { queued: 60_000, in: 2, out: 2, fate: 'dropped' }, ['cc-hop-forwarded']],
    ['may drop what is not ECN capable', { queued: 60_000, in: 0, out: 0, fate: 'dropped' }, []],
    ['pauses nobody', { queued: 0, in: 2, out: 2, paused: true }, ['cc-hop-never-paused']],
  ] as const)('without flow control %s', (_, hop, broken) => {
    expect(hops().hop(hop).broken()).toEqual(broken);
  });

  it.each([
    ['holds its inputs in time', { queued: 98_500, in: 2, out: 3, paused: true }, []],
    ['and must', { queued: 98_500, in: 2, out: 3, paused: false }, ['cc-hop-paused']],
    ['may hold them earlier', { queued: 20_000, in: 2, out: 2, paused: true }, []],
    ['loses nothing', { queued: 99_500, in: 2, out: 2, fate: 'dropped', paused: true }, ['cc-hop-lossless']],
  ] as const)('with flow control %s', (_, hop, broken) => {
    expect(hops({ lossless: true }).hop(hop).broken()).toEqual(broken);
  });

  it('is not judged where nobody says what it should do', () => {
    expect(new CongestionTrace().hop({ queued: 0, in: 2, out: 3 }).broken()).toEqual([]);
  });
});

describe('the share of marks between the thresholds', () => {
  /** Marks of a hundred packets at a queue length, spread evenly. */
  const marked = (queued: number, marks: number): string[] => {
    const trace = hops();
    for (let i = 0; i < 100; i++) trace.hop({ queued, in: 2, out: (i * marks) % 100 < marks ? 3 : 2 });
    return trace.broken();
  };

  it.each([
    // most is 0.5: a quarter of the way 12.5, half of it 25, at its end 50 of a hundred
    [16_250, 13],
    [27_500, 25],
    [50_000, 50],
    [27_500, 12],
    [27_500, 40],
  ])('at %i bytes may be %i in a hundred', (queued, marks) => {
    expect(marked(queued, marks)).toEqual([]);
  });

  it.each([
    [16_250, 100],
    [16_250, 80],
    [50_000, 0],
    [50_000, 100],
    [27_500, 100],
  ])('at %i bytes is not %i in a hundred', (queued, marks) => {
    expect(marked(queued, marks)).toEqual(['cc-hop-marked-at-times']);
  });
});

describe('where the marks lie between the thresholds', () => {
  const { low, high, most } = path.marking;
  /** Packets of a queue that grows from one threshold to the other, marked by a curve: chance by how far along the way. */
  const along = (seed: number, chance: (x: number) => number): string[] => {
    const trace = hops();
    const packets = 3000;
    const draw = seeded(seed);
    for (let i = 0; i < packets; i++) {
      const x = (i + 1) / packets;
      trace.hop({ queued: low + x * (high - low), in: 2, out: draw() < most * chance(x) ? 3 : 2 });
    }
    return trace.broken();
  };

  it('may be anywhere that a straight line puts them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
        expect(along(seed, (x) => x)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it.each<[string, (x: number) => number]>([
    ['a level', () => 1 / 2],
    ['a parabola', (x) => x ** 2],
    ['a parabola with as many marks', (x) => 1.5 * x ** 2],
    ['a root', (x) => Math.sqrt(x)],
    ['a step', (x) => (x < 1 / 2 ? 0 : 1)],
    ['a line that falls', (x) => 1 - x],
  ])('are not on %s', (_, chance) => {
    expect(along(1, chance)).toEqual(['cc-hop-marked-at-times']);
  });
});
