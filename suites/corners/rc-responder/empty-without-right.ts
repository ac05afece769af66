import fc from 'fast-check';
import { message, send, type Message } from '../../arbitraries/message.ts';
import { recvs, settle } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import { accessWithout } from './rights.ts';

const kinds = ['write', 'read', 'write-imm'] as const;
const keys = ['good', 'bad'] as const;

const empty: Grid<[(typeof kinds)[number], (typeof keys)[number]]> = {
  name: 'request of no bytes that the QP does not allow, and its R_Key',
  cells: () => pairs(kinds, keys),
};

export const emptyWithoutRight: SuiteProperty = {
  id: 'rc-responder/empty-without-right',
  suite: 'rc-responder',
  says: 'A request of no bytes needs no R_Key, and still the right of the QP.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cell: anyCell(empty, profile),
        before: fc.array(message(profile, ['send'], 1), { maxLength: 1 }),
        drawn: message(profile, ['write'], 0),
        after: message(profile, ['send', 'write', 'read'], 1),
      }),
      ({ mtu }, { cell: [kind, rkey], before, drawn, after }) => {
        const nothing: Message = { ...drawn, kind, rkey, size: { mtus: 0, bytes: 0 } };
        return {
          access: accessWithout(profile, kind === 'read' ? 'read' : 'write'),
          steps: [
            ...recvs(3, 2 * mtu),
            ...before.flatMap((one) => send(one, mtu)),
            ...send(nothing, mtu),
            settle,
            ...send(after, mtu),
            settle,
            { do: 'query_qp' },
          ],
        };
      },
    ),
  grids: [empty],
  aims: ['rc-request-disabled'],
};
