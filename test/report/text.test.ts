import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duration, grouped, runTime, shellQuote, wrap } from '../../report/text.ts';

describe('text', () => {
  it('wraps at the width without losing or changing a word', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), (list, width) => {
        const lines = wrap(list.join(' '), width);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(list.join(''));
      }),
    );
  });

  it.each([
    [0, '0 ns'],
    [999, '999 ns'],
    [1250, '1.250 us'],
    [655_360_000, '655.360 ms'],
    [2_000_000_000, '2.000 s'],
  ])('writes %i ns as %s', (ns, text) => {
    expect(duration(ns)).toBe(text);
  });

  it.each([
    [0, '0.0 s'],
    [119_400, '119.4 s'],
    [1_407_574, '23 min 28 s'],
    [3_599_900, '1 h 0 min'],
    [7_500_000, '2 h 5 min'],
  ])('writes %i ms of a run as %s', (ms, text) => {
    expect(runTime(ms)).toBe(text);
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1_234_567, '1,234,567'],
  ])('groups %i as %s', (n, text) => {
    expect(grouped(n)).toBe(text);
  });

  it('quotes for a shell only what needs it', () => {
    expect(shellQuote('a/b-c.json')).toBe('a/b-c.json');
    expect(shellQuote("it's")).toBe("'it'\\''s'");
  });
});
