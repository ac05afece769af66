import fc from 'fast-check';
import type { AccessFlag } from '../../../spec/verbs.ts';
import { fullAccess, hasAtomics } from '../../arbitraries/base.ts';
import { message, packetsOf, type Message } from '../../arbitraries/message.ts';
import { inject, recvs, settle } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios, send } from '../../rc-responder/parts.ts';

const asked = ['write', 'read', 'fetch-add'] as const;
const calls = ['taken', 'given'] as const;

const rights: Readonly<Record<(typeof asked)[number], AccessFlag>> = {
  write: 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  'fetch-add': 'IBV_ACCESS_REMOTE_ATOMIC',
};

const changed: Grid<[(typeof asked)[number], (typeof calls)[number]]> = {
  name: 'right that ibv_modify_qp takes or gives in the middle of a SEND',
  cells: (profile) => pairs(hasAtomics(profile) ? asked : asked.slice(0, 2), calls),
};

export const rightsWithin: SuiteProperty = {
  id: 'rc-responder/rights-within',
  suite: 'rc-responder',
  says: 'Rights that a QP gets or loses in the middle of a message rule what comes behind it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cell: anyCell(changed, profile),
        begun: message(profile, ['send'], 1),
        after: message(profile, ['read'], 1),
        rests: fc.boolean(),
      }),
      ({ mtu }, { cell: [kind, call], begun, after, rests }) => {
        const full = fullAccess(profile);
        const without = full.filter((flag) => flag !== rights[kind]);
        const long: Message = { ...begun, size: { mtus: 1, bytes: 9 } };
        const [first, ...others] = packetsOf(long, mtu).map(inject);
        return {
          access: call === 'taken' ? full : without,
          steps: [
            ...recvs(2, 2 * mtu),
            ...(first === undefined ? [] : [first]),
            settle,
            {
              do: 'modify_qp',
              at: 'responder',
              attr: { qp_access_flags: call === 'taken' ? without : full },
            },
            ...(rests ? [settle] : []),
            ...others,
            ...send({ ...after, kind }, mtu),
            settle,
            { do: 'query_qp' },
          ],
        };
      },
    ),
  grids: [changed],
  aims: ['rc-request-disabled', 'rc-write-complete-asked', 'qp-query-rights'],
};
