import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secondsToTime, unitsToTime } from '../../wire/capture/stamp.ts';
import { psnAdd, psnDiff, psnModulus, psnRegion } from '../../wire/index.ts';

const word = fc.oneof(fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff), fc.nat(0xffffffff));

describe('stamps', () => {
  it('are what 64-bit arithmetic makes of seconds and nanoseconds', () => {
    fc.assert(
      fc.property(word, fc.nat(999_999_999), (seconds, ns) => {
        expect(secondsToTime(seconds, ns)).toBe(BigInt(seconds) * 1_000_000_000n + BigInt(ns));
      }),
    );
  });

  it('are what 64-bit arithmetic makes of units, or undefined beyond 64 bits', () => {
    fc.assert(
      fc.property(word, word, fc.constantFrom(1, 10, 1000, 1_000_000), (high, low, multiply) => {
        const exact = ((BigInt(high) << 32n) | BigInt(low)) * BigInt(multiply);
        expect(unitsToTime(high, low, multiply)).toBe(exact < 1n << 64n ? exact : undefined);
      }),
    );
  });
});

describe('PSN arithmetic', () => {
  const psn = fc.oneof(fc.constantFrom(0, 1, 0x7fffff, 0x800000, 0xffffff), fc.nat(0xffffff));

  it('wraps at 2^24, and a distance leads back', () => {
    fc.assert(
      fc.property(psn, psn, (a, b) => {
        const d = psnDiff(a, b);
        expect(psnAdd(b, d)).toBe(a);
        expect(d >= -0x800000 && d < 0x800000).toBe(true);
        expect((d - (a - b)) % psnModulus === 0).toBe(true);
      }),
    );
  });

  it.each([
    [5, 5, 'expected'],
    [6, 5, 'ahead'],
    [0, 0xffffff, 'ahead'],
    [0xffffff, 0, 'duplicate'],
    [0x7fffff, 0, 'ahead'],
    [0x800000, 0, 'duplicate'],
  ] as const)('PSN %i, with %i expected, is %s', (a, b, region) => {
    expect(psnRegion(a, b)).toBe(region);
  });
});
