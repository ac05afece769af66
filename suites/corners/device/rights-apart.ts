import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { base, fullAccess, hasAtomics, responderScenario } from '../../arbitraries/base.ts';
import { inject, packet, settle } from '../../arbitraries/packets.ts';
import { asMember } from '../../beside.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Member, Step } from '../../scenario.ts';

const rights = ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ', 'IBV_ACCESS_REMOTE_ATOMIC'] as const;
type Right = (typeof rights)[number];

const lacking: Grid<Right> = {
  name: 'right that one QP lacks and another one has',
  cells: (profile: Profile) =>
    rights.filter((right) => right !== 'IBV_ACCESS_REMOTE_ATOMIC' || hasAtomics(profile)),
};

const target = { region: 0, offset: 8, length: 8 };

const requests: Readonly<Record<Right, Step>> = {
  IBV_ACCESS_REMOTE_WRITE: inject(packet('RDMA_WRITE_ONLY', { target, payload: { mtus: 0, bytes: 8 } })),
  IBV_ACCESS_REMOTE_READ: inject(packet('RDMA_READ_REQUEST', { target })),
  IBV_ACCESS_REMOTE_ATOMIC: inject(packet('FETCH_ADD', { target, atomic: { compare: '0', swapOrAdd: '3' } })),
};

/** A responder of which a request of each kind comes that it allows, and now and then one that it does not. */
function responder(profile: Profile, lacks: Right | undefined, refused: boolean): fc.Arbitrary<Member> {
  const had = fullAccess(profile);
  const access = had.filter((right) => right !== lacks);
  const allowed = rights.filter((right) => access.includes(right)).map((right) => requests[right]);
  const last = lacks !== undefined && refused ? [requests[lacks]] : [];
  return base(profile).map((chosen) =>
    asMember(
      responderScenario(
        profile,
        { ...chosen, srq: false },
        {
          access,
          maxDestRdAtomic: 1,
          steps: [...allowed, settle, ...allowed, settle, ...last, settle],
        },
      ),
    ),
  );
}

export const rightsApart: SuiteProperty = {
  id: 'device/rights-apart',
  suite: 'device',
  says: 'Each QP allows what its own rights say, whatever those of another are.',
  qps: 2,
  arbitrary: (profile) =>
    fc
      .record({
        lacks: anyCell(lacking, profile),
        swapped: fc.boolean(),
        refused: fc.boolean(),
        pd: fc.boolean(),
      })
      .chain(({ lacks, swapped, refused, pd }) =>
        fc.tuple(responder(profile, lacks, refused), responder(profile, undefined, false)).map((both) => {
          const [first, second] = swapped ? both.toReversed() : both;
          if (first === undefined || second === undefined) throw new Error('two QPs are made');
          const order = first.steps.flatMap(() => [0, 1]);
          return { ...first, beside: { members: [second], order, ...(pd && { share: ['pd' as const] }) } };
        }),
      ),
  grids: [lacking],
  aims: ['rc-request-disabled', 'rc-state-kept'],
};
