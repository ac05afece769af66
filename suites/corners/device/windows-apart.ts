import fc from 'fast-check';
import { asMember } from '../../beside.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { query, scenarios, settle } from '../../verbs/parts.ts';
import {
  allocate,
  bind,
  open,
  opening,
  regionsOf,
  request,
  rightsOf,
  type Right,
} from '../../verbs/windows.ts';

/** The other QP: on the PD of the window, or on one of its own. */
const places = ['same PD', 'another PD'] as const;

const foreign: Grid<[Right, (typeof places)[number]]> = {
  name: 'use of a window that another QP has bound, and PD of the QP that uses it',
  cells: (profile) => pairs(rightsOf(profile), places),
};

export const windowsApart: SuiteProperty = {
  id: 'device/windows-apart',
  suite: 'device',
  requires: ['memory-windows'],
  qps: 2,
  says: 'A memory window of type 2 opens its region by the QP that has bound it, and by no other.',
  arbitrary: (profile) =>
    fc
      .record({
        cell: anyCell(foreign, profile),
        opened: opening(rightsOf(profile)),
        first: fc.boolean(),
        // the other QP may have a window as well, under another key
        own: fc.boolean(),
      })
      .chain(({ cell: [right, place], opened, first, own }) => {
        const opens = { ...opened, access: [...new Set([...opened.access, right])] };
        const bound: Step[] = [allocate, bind(open, opens), settle];
        const holder = [...bound, ...(first ? request(right, opens.offset) : [])];
        const user = own ? [...bound, ...request(right, opens.offset)] : [];
        const last = [...request(right, opens.offset, 'of-first-qp'), query];
        const made = (steps: Step[]) =>
          scenarios(profile, 'responder', ['RC'], fc.constant(undefined), (c) => ({
            regions: regionsOf(profile, c),
            steps,
          })).map(asMember);
        return fc.tuple(made(holder), made([...user, ...last])).map(([one, other]) => ({
          ...one,
          beside: {
            members: [other],
            order: holder.map(() => 0),
            ...(place === 'same PD' && { share: ['pd' as const] }),
          },
        }));
      }),
  grids: [foreign],
  aims: ['rc-window-of-other-qp'],
};
