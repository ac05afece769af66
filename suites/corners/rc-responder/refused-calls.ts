import fc from 'fast-check';
import type { AccessFlag } from '../../../spec/verbs.ts';
import { fullAccess, hasAtomics } from '../../arbitraries/base.ts';
import { message } from '../../arbitraries/message.ts';
import { recvs, settle } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios, send } from '../../rc-responder/parts.ts';

const kinds = ['write', 'read', 'fetch-add'] as const;

const rights: Readonly<Record<(typeof kinds)[number], AccessFlag>> = {
  write: 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  'fetch-add': 'IBV_ACCESS_REMOTE_ATOMIC',
};

const asked: Grid<[(typeof kinds)[number], 'taken' | 'given']> = {
  name: 'right that a refused ibv_modify_qp asks to take or to give',
  cells: (profile) => pairs(hasAtomics(profile) ? kinds : kinds.slice(0, 2), ['taken', 'given'] as const),
};

export const refusedCalls: SuiteProperty = {
  id: 'rc-responder/refused-calls',
  suite: 'rc-responder',
  says: 'An ibv_modify_qp that is refused changes no right of the QP.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cell: anyCell(asked, profile),
        before: message(profile, ['send'], 1),
        drawn: message(profile, ['read'], 1),
      }),
      ({ mtu }, { cell: [kind, call], before, drawn }) => {
        const full = fullAccess(profile);
        const without = full.filter((flag) => flag !== rights[kind]);
        const [had, wanted] = call === 'taken' ? [full, without] : [without, full];
        return {
          access: had,
          steps: [
            ...recvs(2, 2 * mtu),
            ...send(before, mtu),
            // sq_psn is none that RTS to RTS takes
            { do: 'modify_qp', at: 'responder', attr: { qp_access_flags: wanted, sq_psn: 1 } },
            { do: 'query_qp' },
            ...send({ ...drawn, kind }, mtu),
            settle,
            { do: 'query_qp' },
          ],
        };
      },
    ),
  grids: [asked],
  aims: ['rc-request-disabled', 'rc-write-complete-asked', 'qp-query-rights'],
};
