import fc from 'fast-check';
import { message, packetsOf, takesReceive, lengthOf } from '../../arbitraries/message.ts';
import { recv, settle } from '../../arbitraries/packets.ts';
import { coming, congestionOf, sleep } from '../../congestion/parts.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import type { Step } from '../../scenario.ts';

/** States in which a responder receives. */
const states = ['RTR', 'SQD', 'RTS'] as const;

const receiving: Grid<(typeof states)[number]> = {
  name: 'state of the QP that marked requests come to',
  cells: () => states,
};

const ways: Readonly<Record<(typeof states)[number], readonly ('RESET' | 'INIT' | 'RTR' | 'SQD' | 'RTS')[]>> =
  {
    RTR: ['RESET', 'INIT', 'RTR'],
    SQD: ['SQD'],
    RTS: ['SQD', 'RTS'],
  };

export const markedInStates: SuiteProperty = {
  id: 'congestion/marked-in-states',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'Requests that met congestion are answered by CNPs in each state in which a QP receives.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        state: anyCell(receiving, profile),
        all: fc.array(message(profile, ['send', 'write', 'read', 'write-imm'], 2), {
          minLength: 1,
          maxLength: 3,
        }),
        spaced: fc.boolean(),
      }),
      (base, { state, all, spaced }) => {
        const { mtu } = base;
        const { interval } = congestionOf(profile).cnp;
        return {
          steps: [
            ...ways[state].map((name): Step => ({
              do: 'modify_qp',
              at: 'responder',
              state: `IBV_QPS_${name}`,
            })),
            ...all.filter((one) => takesReceive(one.kind)).map((one) => recv(lengthOf(one, mtu))),
            ...all
              .flatMap((one) => packetsOf(one, mtu))
              .flatMap((packet) => [coming(packet, 3), ...(spaced ? [sleep(1.1 * interval)] : [])]),
            settle,
          ],
        };
      },
    ),
  grids: [receiving],
  aims: ['cc-cnp-due', 'cc-cnp-prompt', 'cc-marked-request'],
};
