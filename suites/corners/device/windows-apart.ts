import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { asMember } from '../../beside.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { query, scenarios, settle } from '../../verbs/parts.ts';
import {
  bind,
  open,
  opening,
  operations,
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

/** A request for 8 bytes that the window of the first QP opens. */
function ofFirst(right: Right, offset: number): Step {
  return inject(
    packet(operations[right], {
      ...(right === 'IBV_ACCESS_REMOTE_WRITE' && { payload: { mtus: 0, bytes: 8 } }),
      target: { region: open, offset, length: 8, window: 0, of: 0 },
      ...(right === 'IBV_ACCESS_REMOTE_ATOMIC' && { atomic: { compare: '0', swapOrAdd: '1' } }),
    }),
  );
}

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
        const bound: Step[] = [{ do: 'alloc_mw' }, bind(open, opens), settle];
        const holder = [...bound, ...(first ? request(right, opens.offset) : [])];
        const user = own ? [...bound, ...request(right, opens.offset)] : [];
        const last = [ofFirst(right, opens.offset), settle, query];
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
