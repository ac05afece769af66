import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest, unknownWord } from '../../cli/nearest.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 8 });

describe('nearest match', () => {
  it('is a metric', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  it.each([
    ['chekc', 'check', 1],
    ['check', 'chec', 1],
    ['pretty', 'petty', 1],
    ['abc', 'xyz', 3],
  ])('%s and %s are %i apart', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it('finds slips and parts, and nothing that is far', () => {
    const ids = ['rc-request-ahead', 'rc-request-expected', 'rc-drop-pkey'];
    expect(nearest('rc-request-ahed', ids)).toBe('rc-request-ahead');
    expect(nearest('pkey', ids)).toBe('rc-drop-pkey');
    expect(nearest('zzzzzz', ids)).toBeUndefined();
  });

  it('says what there is where nothing is near', () => {
    expect(unknownWord('reporter', 'zzzzz', ['pretty', 'json'])).toBe(
      'unknown reporter "zzzzz"; there are: pretty, json',
    );
  });
});
