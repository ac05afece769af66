import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inUnits } from '../../oracle/time.ts';

describe('a time in a text', () => {
  it.each([
    [0, '0 ns'],
    [999, '999 ns'],
    [1000, '1.000 us'],
    [50_001, '50.001 us'],
    [655_360_000, '655.360 ms'],
    [655_360_001, '655.360001 ms'],
    [3_545_778_600, '3.5457786 s'],
    [-1500, '-1.500 us'],
    [0.4, '0 ns'],
  ])('%d ns is %s', (ns, text) => {
    expect(inUnits(ns)).toBe(text);
  });

  it('loses no nanosecond', () => {
    const size: Record<string, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e13 }), (ns) => {
        const [number = '', unit = ''] = inUnits(ns).split(' ');
        expect(Math.round(Number(number) * (size[unit] ?? NaN))).toBe(ns);
      }),
    );
  });
});
