import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateInUnits } from '../../oracle/rate-units.ts';

describe('a rate in a text', () => {
  it.each([
    [40e9, '40 Gb/s'],
    [2.5e9, '2.5 Gb/s'],
    [999_999_999, '999.999999 Mb/s'],
    [16e6, '16 Mb/s'],
    [64_000, '64 kb/s'],
    [999, '999 b/s'],
    [100e9 + 1, '100.000000001 Gb/s'],
    [1e9 - 0.4, '1 Gb/s'],
  ])('%d bits per second are %s', (rate, text) => {
    expect(rateInUnits(rate)).toBe(text);
  });

  it('loses no bit', () => {
    const size: Record<string, number> = { 'b/s': 1, 'kb/s': 1e3, 'Mb/s': 1e6, 'Gb/s': 1e9 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (rate) => {
        const [number = '', unit = ''] = rateInUnits(rate).split(' ');
        expect(Math.round(Number(number) * (size[unit] ?? NaN))).toBe(rate);
      }),
    );
  });
});
