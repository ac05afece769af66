import fc from 'fast-check';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { query, scenarios, settle } from '../../verbs/parts.ts';
import { bind, open, regionsOf, request, rightsOf, type Opening } from '../../verbs/windows.ts';

/** What is asked for behind the second binding: what only the first one opened, or the end of a region. */
const ends = ['former end', 'former region', 'former beginning', 'new region'] as const;

const rebound: Grid<(typeof ends)[number]> = {
  name: 'what is asked for when a window that was bound is bound to something else',
  cells: () => [...ends],
};

/** A region as the first one, to which windows may be bound as well. */
const another = 3;

export const windowsRebound: SuiteProperty = {
  id: 'verbs/windows-rebound',
  suite: 'verbs',
  requires: ['memory-windows', 'memory-windows-1'],
  says: 'A memory window of type 1 that is bound anew, without an end of the binding before, opens what it is bound to now and holds no other region.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        end: anyCell(rebound, profile),
        right: fc.constantFrom(...rightsOf(profile)),
        used: fc.boolean(),
        signaled: fc.boolean(),
      }),
      (c, { end, right, used, signaled }) => {
        const first: Opening = { offset: 16, length: 64, access: [right] };
        const second: Opening = { offset: 32, length: 16, access: [right] };
        const moves = end.endsWith('region');
        const asks: Readonly<Record<typeof end, Step[]>> = {
          'former end': request(right, 64),
          'former beginning': request(right, 16),
          'former region': [{ do: 'dereg_mr', region: open }],
          'new region': [{ do: 'dereg_mr', region: another }],
        };
        const regions = regionsOf(profile, c);
        return {
          regions: [...regions, ...regions.slice(0, 1).map((region) => ({ ...region, fill: 13 }))],
          steps: [
            { do: 'alloc_mw', type: 'IBV_MW_TYPE_1' },
            bind(open, first),
            settle,
            ...(used ? request(right, 64) : []),
            bind(moves ? another : open, second, signaled),
            settle,
            ...(used ? request(right, 40) : []),
            ...asks[end],
            query,
          ],
        };
      },
    ),
  grids: [rebound],
  aims: ['rc-window-access-denied', 'dereg-mr', 'dereg-mr-bound'],
};
