import fc from 'fast-check';
import type { QpState } from '../../../spec/verbs.ts';
import { packetsOf, send, type Message } from '../../arbitraries/message.ts';
import { inject, recvs, settle } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { responders, ucMessage } from '../../unreliable/uc-parts.ts';

const ways: readonly (readonly QpState[])[] = [
  ['IBV_QPS_ERR'],
  ['IBV_QPS_SQD', 'IBV_QPS_ERR'],
  ['IBV_QPS_ERR', 'IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'],
];

const ended: Grid<[readonly QpState[], number]> = {
  name: 'states that a message under way of UC ends in, and receive WQEs behind its own',
  cells: () => pairs(ways, [0, 1, 3]),
};

export const begunFlushed: SuiteProperty = {
  id: 'uc/begun-flushed',
  suite: 'uc',
  requires: ['uc'],
  says: 'The receive WQE of a message that ERR cuts off is flushed with those behind it, and first.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        cell: anyCell(ended, profile),
        cut: ucMessage(profile, 1, ['send', 'send-imm']),
        mtus: fc.integer({ min: 1, max: 2 }),
        packets: fc.integer({ min: 1, max: 2 }),
        after: ucMessage(profile, 2, ['send', 'write-imm']),
      }),
      ({ mtu }, { cell: [way, behind], cut: drawn, mtus, packets, after }) => {
        const cut: Message = { ...drawn, size: { mtus, bytes: 9 } };
        const room = 3 * mtu;
        return {
          srq: false,
          steps: [
            ...recvs(1 + behind, room),
            ...packetsOf(cut, mtu).slice(0, Math.min(packets, mtus)).map(inject),
            settle,
            ...way.map((state) => ({ do: 'modify_qp' as const, at: 'responder' as const, state })),
            settle,
            ...recvs(1, room),
            ...send(after, mtu),
            settle,
            { do: 'query_qp' },
          ],
        };
      },
    ),
  grids: [ended],
  aims: ['flush-receive-in-error', 'completion-in-order'],
};
