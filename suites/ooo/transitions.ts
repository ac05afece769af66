import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import { onGrid, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import type { QpState } from '../../spec/verbs.ts';
import { messages, packetsOf, receivesOf } from './messages.ts';
import { common, limitsOf, scenarios } from './parts.ts';

/** Calls of ibv_modify_qp that end nothing. */
const ways = ['RTS-RTS', 'SQD-RTS', 'SQD'] as const;

const crossed: Grid<(typeof ways)[number]> = {
  name: 'transition while packets are out of order',
  cells: () => ways,
};

export const transitions: SuiteProperty = {
  ...common,
  id: 'ooo/transitions-within',
  says: 'A call of ibv_modify_qp that ends nothing leaves what has come early in its place, and what may have to be answered again.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({
        way: onGrid(crossed, profile, fc.constantFrom(...ways)),
        all: messages(profile, undefined, 4),
        missing: fc.nat(3),
        again: fc.nat(3),
      }),
      ({ mtu }, { way, all, missing: drawn, again }) => {
        const to = (state: QpState): Step => ({ do: 'modify_qp', at: 'responder', state, midway: true });
        const calls: Readonly<Record<(typeof ways)[number], Step[]>> = {
          'RTS-RTS': [{ do: 'modify_qp', at: 'responder', attr: { min_rnr_timer: 9 }, midway: true }],
          'SQD-RTS': [to('IBV_QPS_SQD'), to('IBV_QPS_RTS')],
          SQD: [to('IBV_QPS_SQD')],
        };
        const packets = packetsOf(all, mtu);
        // what comes early has to lie in the window
        const missing = Math.min(drawn, packets.length - 1);
        const early = packets.slice(missing + 1, missing + limitsOf(profile).window);
        const inject = (packet: (typeof packets)[number]): Step => ({ do: 'inject', packet });
        return {
          srq: false,
          depth: Math.min(16, profile.limits.maxDestRdAtomic),
          steps: [
            ...receivesOf(all, mtu),
            ...packets.slice(0, missing).map(inject),
            ...early.map(inject),
            settle,
            ...calls[way],
            ...packets.slice(Math.max(0, missing - again), missing).map(inject),
            ...packets.slice(missing, missing + 1).map(inject),
            settle,
            ...packets.slice(missing + 1 + early.length).map(inject),
            settle,
          ],
        };
      },
    ),
  grids: [crossed],
  aims: ['ooo-ack-cumulative', 'ooo-completion-owed', 'ooo-memory-whole', 'ooo-answer-data'],
};
