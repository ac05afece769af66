import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillBytes } from '../../../suites/driver/setup/fill.ts';
import { patternOf } from '../../../suites/reproducer/pattern.ts';

/** What `pattern()` of harness.c puts there. */
function made(length: number, { at, first }: { at: number; first: number }): Uint8Array {
  return Uint8Array.from(
    { length },
    (_, i) => first + 13 * Math.floor((at + i) / 256) + 7 * ((at + i) % 256),
  );
}

describe('the payload of a packet in a program', () => {
  it('is made by a call where it is a part of a fill', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(3000), fc.integer({ min: 33, max: 2000 }), (seed, from, length) => {
        const payload = fillBytes(seed, from + length).subarray(from);
        const pattern = patternOf(payload);
        expect(pattern && Buffer.from(made(length, pattern)).equals(payload)).toBe(true);
      }),
    );
  });

  it('is listed where it is short, or has a byte of its own', () => {
    expect(patternOf(fillBytes(1, 32))).toBeUndefined();
    const odd = Uint8Array.from(fillBytes(1, 400));
    odd[300] = (odd[300] ?? 0) + 1;
    expect(patternOf(odd)).toBeUndefined();
  });
});
