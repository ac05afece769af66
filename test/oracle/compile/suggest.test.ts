import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, editDistance, nearest } from '../../../oracle/compile/suggest.ts';

test('the distance counts single-letter edits', () => {
  expect(editDistance('reply', 'reply')).toBe(0);
  expect(editDistance('repyl', 'reply')).toBe(1);
  expect(editDistance('', 'psn')).toBe(3);
  expect(editDistance('ahead', 'haed')).toBe(2);
});

const words = {
  'any letters': fc.string({ maxLength: 8 }),
  'few letters, so that they repeat': fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 8 }),
};

test.each(Object.entries(words))(
  'the distance is symmetric and never beyond the longer word: %s',
  (_, word) => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
    );
  },
);

test.each([
  ['chekc', 'check', 1],
  ['check', 'chec', 1],
  ['pretty', 'petty', 1],
  ['abc', 'xyz', 3],
])('%s and %s are %i apart', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
});

test('a word that is near is suggested, one that is not is not', () => {
  const known = ['psn-sequence-error', 'invalid-request', 'remote-access-error'];
  expect(nearest('psn-sequence-eror', known)).toBe('psn-sequence-error');
  expect(nearest('access-error', known)).toBe('remote-access-error');
  expect(nearest('banana', known)).toBeUndefined();
  expect(didYouMean('banana', known)).toBe(
    '; known: psn-sequence-error, invalid-request, remote-access-error',
  );
  expect(didYouMean('banana', [])).toBe('');
});
