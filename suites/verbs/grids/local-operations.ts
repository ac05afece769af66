import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { onGrid, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step, WrPlan } from '../../scenario.ts';
import { post, query, scenarios, settle, to, wrOf } from '../parts.ts';
import { allocate, bind, ended, open, opening, regionsOf, request, rightsOf } from '../windows.ts';

const at = 'responder';

/** Work requests of which no packet goes out, one after the other. */
const locals = ['bind', 'bind, end', 'bind, end, bind', 'bind, end, bind, end'] as const;

/** What stands behind them. */
const nexts = [
  'SEND',
  'SEND_WITH_IMM',
  'SEND_WITH_INV',
  'RDMA_WRITE',
  'RDMA_WRITE_WITH_IMM',
  'RDMA_READ',
  'ATOMIC_CMP_AND_SWP',
  'ATOMIC_FETCH_AND_ADD',
] as const;
type Next = (typeof nexts)[number];

/** Operations of the device. */
function nextsOf(profile: Profile): readonly Next[] {
  const able = (next: Next): boolean =>
    next === 'SEND_WITH_INV'
      ? profile.capabilities.includes('send-with-invalidate')
      : !next.startsWith('ATOMIC') || profile.capabilities.includes('atomic');
  return nexts.filter(able);
}

const followed: Grid<[(typeof locals)[number], Next]> = {
  name: 'work requests without a packet, and the operation behind them',
  cells: (profile) => pairs(locals, nextsOf(profile)),
};

function wrOfNext(next: Next, fence: boolean): WrPlan {
  const more: Partial<WrPlan> = {
    opcode: `IBV_WR_${next}`,
    region: open,
    offset: 64,
    ...(fence && { fence }),
  };
  return wrOf({ length: next.startsWith('ATOMIC') ? 8 : 24, signaled: true }, more);
}

/** When they are posted: in RTS, in SQD, or in RTS behind a SEND that nobody answers. */
const moments = ['RTS', 'SQD', 'behind a SEND'] as const;

export const localOperations: SuiteProperty = {
  id: 'verbs/local-operations',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'Binds and local invalidations are carried out in their turn, and the work request behind them goes out as without them.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC'],
      fc.record({
        cell: onGrid(
          followed,
          profile,
          fc.tuple(fc.constantFrom(...locals), fc.constantFrom(...nextsOf(profile))),
        ),
        moment: fc.constantFrom(...moments, 'SQD' as const),
        opened: opening(rightsOf(profile)),
        quiet: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        together: fc.boolean(),
        fence: fc.boolean(),
        used: fc.boolean(),
        fails: fc.boolean(),
      }),
      (c, { cell: [local, next], moment, opened, quiet, together, fence, used, fails }) => {
        const kinds = local.split(', ');
        const [right] = opened.access;
        const uses = used && right !== undefined ? request(right, opened.offset) : [];
        const posts = kinds.flatMap((kind, i): Step[] => {
          const signaled = quiet[i] !== true;
          return [
            kind === 'bind' ? bind(open, opened, signaled) : ended(signaled),
            ...(together ? [] : [settle]),
          ];
        });
        const before: Readonly<Record<(typeof moments)[number], Step[]>> = {
          RTS: [],
          SQD: [to(at, 'IBV_QPS_SQD')],
          'behind a SEND': [post(at, wrOf({ length: 8, signaled: true })), settle],
        };
        return {
          regions: regionsOf(profile, c),
          plan: { maxRdAtomic: 1 },
          steps: [
            allocate,
            ...before[moment],
            ...posts,
            post(at, wrOfNext(next, fence)),
            settle,
            query,
            ...(moment === 'SQD' ? [to(at, 'IBV_QPS_RTS'), settle] : []),
            // what is left bound opens the window, and what is ended closes it
            ...(moment === 'behind a SEND' ? [] : uses),
            ...(fails ? [to(at, 'IBV_QPS_ERR'), settle] : []),
            query,
          ],
        };
      },
    ),
  grids: [followed],
  aims: ['completion-held', 'completion-in-order', 'rc-send-queue-goes-on', 'rc-window-access-denied'],
};
