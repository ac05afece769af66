import fc from 'fast-check';
import type { AccessFlag } from '../../../spec/verbs.ts';
import { fullAccess } from '../../arbitraries/base.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { targetLength } from '../../rc-requester/jobs.ts';
import { request } from '../../verbs/reregistrations.ts';
import { query, scenarios } from '../../verbs/parts.ts';
import { rightsOf } from '../../verbs/windows.ts';

const changes = [
  ['access', 'pd'],
  ['access', 'length'],
  ['pd', 'length'],
  ['access', 'pd', 'length'],
] as const;
type Change = (typeof changes)[number][number];

const together: Grid<readonly Change[]> = {
  name: 'what one call of ibv_rereg_mr changes',
  cells: (profile) =>
    changes.filter(
      (all: readonly Change[]) =>
        !all.includes('length') || profile.capabilities.includes('rereg-mr-translation'),
    ),
};

/** Last request of a scenario: one that all changes together allow or refuse. */
const ends = ['granted', 'taken away', 'behind', 'former'] as const;

export const changesTogether: SuiteProperty = {
  id: 'verbs/changes-together',
  suite: 'verbs',
  requires: ['rereg-mr'],
  says: 'A call of ibv_rereg_mr that asks for several changes makes all of them.',
  arbitrary: (profile) => {
    const all = rightsOf(profile);
    return scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        all: anyCell(together, profile),
        kept: fc.nat(all.length - 1),
        pd: fc.constantFrom<'own' | 'foreign'>('own', 'own', 'foreign'),
        more: fc.constantFrom(-64, 64, 4096),
        end: fc.constantFrom(...ends),
      }),
      ({ mtu }, { all: asked, kept, pd, more, end }) => {
        const before = targetLength(mtu);
        const length = asked.includes('length') ? before + more : before;
        const right = all[kept] ?? 'IBV_ACCESS_REMOTE_WRITE';
        const other = asked.includes('access') ? (all.find((one) => one !== right) ?? right) : right;
        const access: AccessFlag[] = ['IBV_ACCESS_LOCAL_WRITE', right];
        return {
          regions: [
            { length: before, access: fullAccess(profile), fill: 1 },
            { length: 64, access: fullAccess(profile), fill: 5, foreignPd: true },
          ],
          steps: [
            {
              do: 'rereg_mr',
              region: 0,
              ...(asked.includes('access') && { access }),
              ...(asked.includes('pd') && { pd }),
              ...(asked.includes('length') && { length }),
            },
            ...request(right, 0),
            ...(end === 'granted'
              ? request(right, length - 8)
              : end === 'taken away'
                ? request(other, 8)
                : end === 'behind'
                  ? request(right, length)
                  : asked.includes('length')
                    ? request(right, 0, true)
                    : request(right, 8)),
            query,
          ],
        };
      },
    );
  },
  grids: [together],
  aims: ['rereg-mr', 'rereg-mr-moved', 'rc-remote-access-denied'],
};
