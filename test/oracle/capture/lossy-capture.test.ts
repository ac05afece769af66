import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framesBetween, plans } from './between-nics.ts';
import { judged, points, seenAt } from './point.ts';

describe('a capture between two reference NICs', () => {
  it('shows no violation, whatever the network and the point of capture lose, double and delay', async () => {
    let requests = 0;
    let refused = 0;
    let repeated = 0;
    await fc.assert(
      fc.asyncProperty(plans, points, async (plan, point) => {
        const { violations, exercised } = judged(seenAt(point, await framesBetween(plan)));
        expect(violations).toEqual([]);
        requests += exercised.get('rc-request-opcode') ?? 0;
        refused += exercised.get('rc-rnr-wait-over') ?? 0;
        repeated += exercised.get('rc-repeat-same') ?? 0;
      }),
      // a gate says the same every time; RUNS=10000 goes hunting
      process.env['RUNS'] === undefined
        ? { numRuns: 60, seed: 1, endOnFailure: true }
        : { numRuns: Number(process.env['RUNS']), seed: Number(process.env['SEED'] ?? 2) },
    );
    expect(Math.min(requests, refused, repeated)).toBeGreaterThan(60);
  }, 3_600_000);
});
