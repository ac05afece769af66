import fc from 'fast-check';
import { fullAccess } from '../../arbitraries/base.ts';
import { inject, packet, recvs } from '../../arbitraries/packets.ts';
import { onGrid, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { query, scenarios, settle } from '../parts.ts';

/** Whose R_Key the SEND names: that of a region of the QP's PD, of another PD, or of one that is no more. */
const named: Grid<'own' | 'foreign' | 'deregistered'> = {
  name: 'region whose R_Key a SEND names',
  cells: () => ['own', 'foreign', 'deregistered'],
};

const regions = { own: 1, foreign: 2, deregistered: 1 } as const;

export const invalidatedRegions: SuiteProperty = {
  id: 'verbs/invalidated-regions',
  suite: 'verbs',
  requires: ['send-with-invalidate'],
  says: 'A SEND with invalidate names a memory region of the PD of its QP, or is refused.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        cell: onGrid(named, profile, fc.constantFrom('own', 'foreign', 'deregistered')),
        long: fc.boolean(),
        before: fc.boolean(),
      }),
      (c, { cell, long, before }) => {
        const region = regions[cell];
        const access = fullAccess(profile);
        const write = (target: number): Step[] => [
          inject(
            packet('RDMA_WRITE_ONLY', {
              payload: { mtus: 0, bytes: 8 },
              target: { region: target, offset: 0, length: 8 },
            }),
          ),
          settle,
        ];
        const tail = long ? 'LAST' : 'ONLY';
        return {
          regions: [
            { length: 64, access, fill: 1 },
            { length: 64, access, fill: 2 },
            { length: 64, access, fill: 3, foreignPd: true },
          ],
          steps: [
            ...recvs(2, 2 * c.mtu),
            ...(before && cell !== 'foreign' ? write(region) : []),
            ...(cell === 'deregistered' ? [{ do: 'dereg_mr' as const, region }, settle] : []),
            ...(long ? [inject(packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 } }))] : []),
            inject(
              packet(`SEND_${tail}_WITH_INVALIDATE`, {
                payload: { mtus: 0, bytes: 8 },
                invalidate: region,
              }),
            ),
            settle,
            ...write(0),
            query,
          ],
        };
      },
    ),
  grids: [named],
  aims: ['rc-invalidation-refused', 'rc-receive-invalidated', 'rc-report-invalidation'],
};
