import { expect, it } from 'vitest';
import { Past } from '../../../oracle/capture/complete/past.ts';

it('gives what a number was, and of many changes none that came later', () => {
  const past = new Past();
  expect(past.at(5)).toBeUndefined();
  for (let t = 0; t <= 100_000; t++) {
    past.note(t, t, 1000);
    if (t < 1000) continue;
    for (const ago of [0, 10, 500, 1000]) {
      const value = past.at(t - ago) ?? Number.NaN;
      expect(value).toBeLessThanOrEqual(t - ago);
      expect(value).toBeGreaterThan(t - ago - 50);
    }
  }
  past.clear();
  expect(past.at(100_000)).toBeUndefined();
});

it('keeps the newest value before the span, however old', () => {
  const past = new Past();
  for (let i = 0; i < 40; i++) past.note(i * 5000, i, 1000);
  expect(past.at(39 * 5000 - 1)).toBe(38);
});
