import fc from 'fast-check';
import { packetsOf, receivesFor, type Message } from '../arbitraries/message.ts';
import { inject, settle } from '../arbitraries/packets.ts';
import { onGrid, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import type { QpState } from '../../spec/verbs.ts';
import { responders, ucMessage } from './uc-parts.ts';

/** Calls of ibv_modify_qp that end nothing. */
const ways = ['RTR-RTS', 'SQD-RTS', 'SQD', 'RTS-RTS'] as const;

const crossed: Grid<(typeof ways)[number]> = {
  name: 'transition in the middle of a message',
  cells: () => ways,
};

export const ucTransitions: SuiteProperty = {
  id: 'uc/transitions-within',
  suite: 'uc',
  requires: ['uc'],
  says: 'A call of ibv_modify_qp that ends nothing leaves the message under way as it was.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        way: onGrid(crossed, profile, fc.constantFrom(...ways)),
        before: fc.array(ucMessage(profile, 2), { maxLength: 1 }),
        cut: ucMessage(profile),
        longer: fc.integer({ min: 1, max: 2 }),
        at: fc.integer({ min: 1, max: 2 }),
        after: ucMessage(profile, 2),
      }),
      ({ mtu }, { way, before, cut: drawn, longer, at, after }) => {
        const cut: Message = { ...drawn, size: { mtus: longer, bytes: 9 } };
        const to = (state: QpState): Step => ({ do: 'modify_qp', at: 'responder', state });
        const reset: Step[] = [to('IBV_QPS_RESET'), to('IBV_QPS_INIT'), to('IBV_QPS_RTR')];
        const calls: Readonly<Record<(typeof ways)[number], Step[]>> = {
          'RTR-RTS': [to('IBV_QPS_RTS')],
          'SQD-RTS': [to('IBV_QPS_SQD'), to('IBV_QPS_RTS')],
          SQD: [to('IBV_QPS_SQD')],
          'RTS-RTS': [
            { do: 'modify_qp', at: 'responder', attr: { qp_access_flags: ['IBV_ACCESS_REMOTE_WRITE'] } },
          ],
        };
        const packets = packetsOf(cut, mtu);
        const first = Math.min(at, packets.length - 1);
        return {
          steps: [
            ...(way === 'RTR-RTS' ? reset : []),
            ...receivesFor([...before, cut, after], mtu),
            ...before.flatMap((m) => packetsOf(m, mtu)).map(inject),
            ...packets.slice(0, first).map(inject),
            settle,
            ...calls[way],
            ...packets.slice(first).map(inject),
            settle,
            ...packetsOf(after, mtu).map(inject),
            settle,
          ],
        };
      },
    ),
  grids: [crossed],
  aims: ['uc-send-end', 'uc-write-immediate', 'uc-receive-completes', 'unreliable-memory-written'],
};
