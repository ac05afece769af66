import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairness, figure, run } from '../../bench/figure.ts';

const total = (shares: readonly number[]): number => shares.reduce((a, b) => a + b, 0);

describe('the figure of congestion spreading', () => {
  const measure = { ...figure, parameters: 'paper', warmUp: 2, measured: 1 } as const;

  it('with flow control alone holds back a flow that does not touch the congested port', async () => {
    const { throughput, pauses } = await run({ ...measure, control: false });
    const victim = throughput.at(-1) ?? 1;
    expect(pauses).toBeGreaterThan(0);
    expect(total(throughput.slice(0, -1))).toBeGreaterThan(0.97);
    // offered: 0.8
    expect(victim).toBeLessThan(0.25);
  });

  it('with congestion control pauses nobody, and lets that flow have what it offers', async () => {
    const { throughput, queueMean, pauses } = await run({ ...measure, control: true });
    expect(throughput.at(-1) ?? 0).toBeGreaterThan(0.75);
    expect(pauses).toBe(0);
    // the upper threshold of the marking curve
    expect(queueMean).toBeLessThan(200_000);
  });
});

describe('flows to one port', () => {
  it('come to fair shares of it, however many they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 7 }), async (n) => {
        const names = Array.from({ length: n }, (_, i) => `S${i}`);
        const { throughput } = await run({
          hosts: [[...names, 'R']],
          flows: names.map((from) => ({ from, to: 'R', offered: 1 })),
          control: true,
          parameters: 'brisk',
          warmUp: 5,
          measured: 10,
          watched: 'R',
        });
        expect(fairness(throughput)).toBeGreaterThan(0.85);
        expect(total(throughput)).toBeGreaterThan(0.7);
      }),
      { numRuns: 4, seed: 1 },
    );
  });
});
