import { describe, expect, it } from 'vitest';
import { clean, faults } from './catalogue.ts';
import { checked } from './checked.ts';
import type { Clean } from './entries.ts';
import { page } from './page.ts';
import { unfound } from './unfound.ts';

const allFaults = [...faults].flatMap(([role, list]) => list.map((fault) => ({ role, ...fault })));

describe('the catalogue', () => {
  it('holds 60 faults and 30 captures without one', () => {
    expect(allFaults.length).toBeGreaterThanOrEqual(60);
    expect(clean.length).toBeGreaterThanOrEqual(30);
    const names = allFaults.map(({ role, says }) => `${role}: ${says}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is what its page says (made anew by `vitest run test/captures -u`)', async () => {
    await expect(page()).toMatchFileSnapshot('../../docs/reference/captures.md');
  });
});

describe('a fault in a capture', () => {
  it.each(allFaults)('$role: $says', async ({ rules, talk, ...how }) => {
    const { exit, broken } = await checked(talk.taken, how);
    const others = broken.filter((rule) => !rules.includes(rule));
    expect({ exit, found: broken.length > 0, others }).toEqual({ exit: 1, found: true, others: [] });
  });

  it.each(allFaults.filter(({ complete, profile }) => complete !== undefined || profile !== undefined))(
    '$role: $says: may be none where nothing more is known',
    async ({ talk }) => {
      expect((await checked(talk.taken)).broken).toEqual([]);
    },
  );

  it.each(unfound)('is not called one: $says', async ({ talk, inconclusive: why, ...how }) => {
    const { broken, inconclusive } = await checked(talk.taken, how);
    expect(broken).toEqual([]);
    expect(inconclusive.some((reason) => why?.test(reason) === true)).toBe(why !== undefined);
  });
});

describe('a capture without a fault', () => {
  const judged = clean.flatMap((one) => {
    const { complete, ...rest } = one;
    return complete === undefined ? [rest] : [rest, { ...one, says: `${one.says}, with --complete` }];
  });

  it.each(judged)('$says', async ({ talk, inconclusive: why, ...how }: Clean) => {
    const { exit, broken, inconclusive } = await checked(talk.taken, how);
    const explained = why === undefined || inconclusive.some((reason) => why.test(reason));
    expect({ exit, broken, explained }).toEqual({
      exit: why === undefined ? 0 : 2,
      broken: [],
      explained: true,
    });
  });
});
