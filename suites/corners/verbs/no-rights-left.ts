import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { hasAtomics } from '../../arbitraries/base.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { query, scenarios, settle, to } from '../../verbs/parts.ts';

const at = 'responder';
const ways = ['in RTS', 'in SQD', 'given again'] as const;
const operations = ['RDMA_WRITE_ONLY', 'RDMA_READ_REQUEST', 'FETCH_ADD'] as const;
type Way = (typeof ways)[number];

const left: Grid<[Way, (typeof operations)[number]]> = {
  name: 'where qp_access_flags become 0, and what is asked for then',
  cells: (profile: Profile) =>
    pairs(
      [...ways],
      operations.filter((operation) => operation !== 'FETCH_ADD' || hasAtomics(profile)),
    ),
};

const none: Step = { do: 'modify_qp', at, attr: { qp_access_flags: [] } };

function calls(way: Way): Step[] {
  switch (way) {
    case 'in RTS':
      return [none];
    case 'in SQD':
      return [
        to(at, 'IBV_QPS_SQD'),
        none,
        {
          do: 'modify_qp',
          at,
          state: 'IBV_QPS_RTS',
          omit: ['timeout', 'retry_cnt', 'rnr_retry', 'sq_psn', 'max_rd_atomic'],
        },
      ];
    case 'given again':
      return [none, { do: 'modify_qp', at, attr: { qp_access_flags: ['IBV_ACCESS_REMOTE_READ'] } }, none];
  }
}

export const noRightsLeft: SuiteProperty = {
  id: 'verbs/no-rights-left',
  suite: 'verbs',
  says: 'Where software takes every right away, nothing is written, read or changed from afar, and messages still come.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC'],
      fc.record({ cell: anyCell(left, profile), used: fc.boolean() }),
      (_, { cell: [way, operation], used }) => {
        const payload = { mtus: 0, bytes: operation === 'RDMA_WRITE_ONLY' ? 8 : 0 };
        const request = inject(
          packet(operation, {
            payload,
            target: { region: 0, offset: 8, length: 8 },
            ...(operation === 'FETCH_ADD' && { atomic: { compare: '0', swapOrAdd: '3' } }),
          }),
        );
        const message = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        return {
          steps: [
            { do: 'post_recv', at, length: 8 },
            ...(used ? [request, settle] : []),
            ...calls(way),
            query,
            message,
            settle,
            request,
            settle,
          ],
        };
      },
    ),
  grids: [left],
  aims: ['rc-request-disabled', 'rc-receive-completes'],
};
