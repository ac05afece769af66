import { describe, expect, it } from 'vitest';
import { median } from '../../cli/mutants/results.ts';

describe('the median', () => {
  it.each<[number[], number | undefined]>([
    [[], undefined],
    [[7], 7],
    [[3, 1, 2], 2],
    [[312, 165], 239],
    [[4, 1, 2, 3], 3],
  ])('of %j is %s', (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});
