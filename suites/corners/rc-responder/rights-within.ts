import fc from 'fast-check';
import { message, packetsOf, send, type Message } from '../../arbitraries/message.ts';
import { inject, recvs, settle } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import { accessOf, rightChanges, type RightChange } from './rights.ts';

const changes: Grid<RightChange> = {
  name: 'right that ibv_modify_qp takes or gives in the middle of a SEND',
  cells: rightChanges,
};

export const rightsWithin: SuiteProperty = {
  id: 'rc-responder/rights-within',
  suite: 'rc-responder',
  says: 'Rights that a QP gets or loses in the middle of a message rule what comes behind it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cell: anyCell(changes, profile),
        begun: message(profile, ['send'], 1),
        after: message(profile, ['read'], 1),
        rests: fc.boolean(),
      }),
      ({ mtu }, { cell, begun, after, rests }) => {
        const { had, asked } = accessOf(profile, cell);
        const long: Message = { ...begun, size: { mtus: 1, bytes: 9 } };
        const [first, ...others] = packetsOf(long, mtu).map(inject);
        return {
          access: had,
          steps: [
            ...recvs(2, 2 * mtu),
            ...(first === undefined ? [] : [first]),
            settle,
            {
              do: 'modify_qp',
              at: 'responder',
              attr: { qp_access_flags: asked },
            },
            ...(rests ? [settle] : []),
            ...others,
            ...send({ ...after, kind: cell[0] }, mtu),
            settle,
            { do: 'query_qp' },
          ],
        };
      },
    ),
  grids: [changes],
  aims: ['rc-request-disabled', 'rc-write-complete-asked', 'qp-query-rights'],
};
