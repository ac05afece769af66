import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { hasAtomics } from '../../arbitraries/base.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { WrOpcode } from '../../../spec/verbs.ts';
import { post, query, scenarios, settle, wrOf } from '../../verbs/parts.ts';
import { allocate, bind, open, regionsOf, request, rightsOf, type Opening } from '../../verbs/windows.ts';

const works = ['bind', 'invalidate'] as const;

function waitedFor(profile: Profile): WrOpcode[] {
  return ['IBV_WR_RDMA_READ', ...(hasAtomics(profile) ? (['IBV_WR_ATOMIC_FETCH_AND_ADD'] as const) : [])];
}

const fenced: Grid<[(typeof works)[number], WrOpcode]> = {
  name: 'fenced work of a window, and what it waits for',
  cells: (profile) => pairs(works, waitedFor(profile)),
};

/** Nobody answers what is waited for, so that the fence holds to the end. */
export const fencedWindows: SuiteProperty = {
  id: 'verbs/fenced-windows',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'A fenced binding or invalidation of a window waits for the READs and ATOMICs before it, and what the window opens stays as it is.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        cell: anyCell(fenced, profile),
        right: fc.constantFrom(...rightsOf(profile)),
        signaled: fc.boolean(),
        offset: fc.constantFrom(0, 8, 64),
      }),
      (c, { cell: [work, opcode], right, signaled, offset }) => {
        const window: Opening = { offset, length: 32, access: [right] };
        const opening = bind(open, window, signaled);
        const local =
          work === 'bind'
            ? opening
            : post('responder', wrOf({ length: 0, signaled }, { opcode: 'IBV_WR_LOCAL_INV', ends: 0 }));
        return {
          regions: regionsOf(profile, c),
          steps: [
            allocate,
            ...(work === 'bind' ? [] : [opening, settle]),
            post('responder', wrOf({ length: 8, signaled: true }, { opcode })),
            ...(local.do === 'post_send' ? [{ ...local, wr: { ...local.wr, fence: true } }] : []),
            { do: 'sleep', us: 20 },
            ...request(right, offset + 8),
            settle,
            query,
          ],
        };
      },
    ),
  grids: [fenced],
  aims: ['rc-window-access-denied', 'rc-memory-written', 'rc-read-executed'],
};
