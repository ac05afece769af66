import { describe, expect, it } from 'vitest';
import type { SwitchPlan } from '../../spec/congestion.ts';
import { CongestionTrace } from './congestion-trace.ts';

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
