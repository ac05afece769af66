import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { query, scenarios, settle } from '../../verbs/parts.ts';
import { allocate, bind, opening, regionsOf, rightsOf, unwritten, type Right } from '../../verbs/windows.ts';

/** Each set of rights with which others may change memory. */
const writing: Grid<Right[]> = {
  name: 'rights of a window of which software must be able to write, too',
  cells: (profile) =>
    setsOf(profile).filter((set) => set.some((right) => right !== 'IBV_ACCESS_REMOTE_READ')),
};

function setsOf(profile: Profile): Right[][] {
  return rightsOf(profile).reduce<Right[][]>(
    (sets, right) => [...sets, ...sets.map((set) => [...set, right])],
    [[]],
  );
}

export const bindingsToWrite: SuiteProperty = {
  id: 'verbs/bindings-to-write',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'A window by which others may change memory is bound only where software may write as well, whichever right that is.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({ access: anyCell(writing, profile), opened: opening(rightsOf(profile)) }),
      (c, { access, opened }) => ({
        regions: regionsOf(profile, c),
        steps: [allocate, bind(unwritten, { ...opened, access }), settle, query],
      }),
    ),
  grids: [writing],
  aims: ['bind-write-alone'],
};
