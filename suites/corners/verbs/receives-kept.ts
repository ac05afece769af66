import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { query, receives, rts, scenarios, settle, to } from '../../verbs/parts.ts';

const at = 'responder';

/** How a QP in INIT gets its attributes once more; `alone`: by a call that names no state. */
const again = ['state', 'alone', 'both', 'none'] as const;

const repeated: Grid<(typeof again)[number]> = {
  name: 'how a QP in INIT gets its attributes once more',
  cells: () => again,
};

/** Receive WQEs that are posted in front of each call. */
const each = fc.integer({ min: 1, max: 2 });

export const receivesKept: SuiteProperty = {
  id: 'verbs/receives-kept',
  suite: 'verbs',
  says: 'Receive WQEs stay on their queue, in their order, through each call of ibv_modify_qp that ends nothing, from INIT on.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC', 'UC', 'UD'],
      fc.record({
        way: anyCell(repeated, profile),
        counts: fc.tuple(each, each, each, each, each),
        drains: fc.boolean(),
      }),
      ({ service }, { way, counts, drains }) => {
        const [init, rtr, end] = rts.map((state) => to(at, state)) as [Step, Step, Step];
        const alone: Step = { do: 'modify_qp', at, attr: { pkey_index: 0 } };
        const calls: Readonly<Record<typeof way, Step[]>> = {
          state: [init],
          alone: [alone],
          both: [alone, init],
          none: [],
        };
        const [first, second, third, fourth, fifth] = counts.map((count) => receives(at, service, count)) as [
          Step[],
          Step[],
          Step[],
          Step[],
          Step[],
        ];
        const passed = drains ? [to(at, 'IBV_QPS_SQD'), ...fifth, end] : fifth;
        const total = counts.reduce((sum, count) => sum + count, 0);
        const message = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        return {
          steps: [
            to(at, 'IBV_QPS_RESET'),
            init,
            ...first,
            ...calls[way],
            ...second,
            rtr,
            ...third,
            end,
            ...fourth,
            ...passed,
            ...Array.from({ length: total }, () => message),
            settle,
            query,
          ],
        };
      },
    ),
  grids: [repeated],
  aims: ['rc-receive-completes', 'uc-receive-completes', 'ud-receive-completes', 'rc-receiver-not-ready'],
};
