import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { settle } from '../arbitraries/packets.ts';
import { onGrid, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import { base } from '../rc-requester/parts.ts';
import { mostMembers } from './compose.ts';
import { upsetsOf, upsetTogether } from './upsets.ts';

const rowsOf = new WeakMap<Profile, readonly (readonly string[])[]>();

/** Rows of upsets so that each stands behind each other one, and behind itself, in one row at least. */
function rows(profile: Profile): readonly (readonly string[])[] {
  const known = rowsOf.get(profile);
  if (known !== undefined) return known;
  const names = [...upsetsOf(profile).keys()];
  const left = new Set(names.flatMap((one) => names.map((other) => `${one}, then ${other}`)));
  const found: string[][] = [];
  const pair = (one: string, next: string): boolean => left.has(`${one}, then ${next}`);
  // of those that close as many pairs, one that others have still to stand behind
  const worth = (row: readonly string[], next: string): number =>
    row.includes(next)
      ? row.filter((one) => one === next && pair(one, next)).length * names.length
      : row.filter((one) => pair(one, next)).length * names.length +
        names.filter((other) => pair(next, other)).length;
  while (left.size > 0) {
    const row: string[] = [];
    while (row.length < mostMembers)
      row.push(names.reduce((best, next) => (worth(row, next) > worth(row, best) ? next : best)));
    for (const [i, next] of row.entries())
      for (const one of row.slice(0, i)) left.delete(`${one}, then ${next}`);
    found.push(row);
  }
  rowsOf.set(profile, found);
  return found;
}

const grid: Grid<readonly string[]> = { name: 'upsets in a row, each behind each other', cells: rows };

/** Whatever upsets a QP meets what upsets another one, in either order and without a rest between them. */
export const upsets: SuiteProperty = {
  id: 'device/upsets',
  suite: 'device',
  says: 'What upsets one QP does not reach the others, whatever upsets these just before or just behind it.',
  share: 12,
  arbitrary: (profile) => {
    const all = upsetsOf(profile);
    const dice = fc.array(fc.constantFrom(...all.keys()), { minLength: 2, maxLength: mostMembers });
    return fc
      .record({
        bases: fc.array(base(profile), { minLength: mostMembers, maxLength: mostMembers }),
        row: onGrid(grid, profile, dice),
      })
      .map(({ bases, row }) =>
        upsetTogether(
          profile,
          row.flatMap((name) => all.get(name) ?? []),
          bases,
          (member) => ({ ...member, steps: [...member.steps, settle] }),
        ),
      );
  },
  qps: mostMembers,
  grids: [grid],
  aims: ['rc-state-kept', 'flush-uncaused', 'rc-timeout-early'],
};
