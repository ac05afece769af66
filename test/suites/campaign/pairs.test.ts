import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pairs } from '../../../suites/campaign/pairs.ts';

const cases = fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e')), { maxLength: 8 });

describe('pairs of rules', () => {
  it('count each rule, and each two that a case exercised, once', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const pairs = new Pairs();
        const news = all.map((exercised) => pairs.add(exercised));
        const rules = new Set(all.flat());
        const two = new Set(
          all.flatMap((ids) => ids.flatMap((a) => ids.filter((b) => a < b).map((b) => `${a} ${b}`))),
        );
        expect([pairs.rules, pairs.size]).toEqual([rules.size, two.size]);
        expect(news.reduce((sum, n) => sum + n, 0)).toBe(rules.size + two.size);
      }),
    );
  });

  it('are the same once they were written and read', () => {
    fc.assert(
      fc.property(cases, cases, (before, after) => {
        const pairs = new Pairs();
        for (const exercised of before) pairs.add(exercised);
        const read = new Pairs(JSON.parse(JSON.stringify(pairs.data())) as ReturnType<Pairs['data']>);
        expect([read.rules, read.size]).toEqual([pairs.rules, pairs.size]);
        for (const exercised of after) expect(read.add(exercised)).toBe(pairs.add(exercised));
      }),
    );
  });
});
