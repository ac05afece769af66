import fc from 'fast-check';
import { message, send } from '../../arbitraries/message.ts';
import { recvs, settle } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import { accessOf, rightChanges, type RightChange } from './rights.ts';

const changes: Grid<RightChange> = {
  name: 'right that a refused ibv_modify_qp asks to take or to give',
  cells: rightChanges,
};

export const refusedCalls: SuiteProperty = {
  id: 'rc-responder/refused-calls',
  suite: 'rc-responder',
  says: 'An ibv_modify_qp that is refused changes no right of the QP.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cell: anyCell(changes, profile),
        before: message(profile, ['send'], 1),
        drawn: message(profile, ['read'], 1),
      }),
      ({ mtu }, { cell, before, drawn }) => {
        const { had, asked } = accessOf(profile, cell);
        return {
          access: had,
          steps: [
            ...recvs(2, 2 * mtu),
            ...send(before, mtu),
            // sq_psn is none that RTS to RTS takes
            { do: 'modify_qp', at: 'responder', attr: { qp_access_flags: asked, sq_psn: 1 } },
            { do: 'query_qp' },
            ...send({ ...drawn, kind: cell[0] }, mtu),
            settle,
            { do: 'query_qp' },
          ],
        };
      },
    ),
  grids: [changes],
  aims: ['rc-request-disabled', 'rc-write-complete-asked', 'qp-query-rights'],
};
