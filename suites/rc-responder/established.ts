import fc from 'fast-check';
import type { QpState } from '../../spec/verbs.ts';
import { everyKind, message, send } from '../arbitraries/message.ts';
import { recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { scenarios } from './parts.ts';

const toRtr: readonly QpState[] = ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'];

export const established: SuiteProperty = {
  id: 'rc-responder/established',
  suite: 'rc-responder',
  says: 'The first request in RTR, of whatever kind, announces the connection by an event, and so does the first one after each new start.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        stays: fc.array(
          fc.record({ all: fc.array(message(profile, everyKind, 2), { maxLength: 3 }), wait: fc.boolean() }),
          { minLength: 1, maxLength: 3 },
        ),
        onward: fc.boolean(),
        last: message(profile, everyKind, 1),
      }),
      ({ mtu }, { stays, onward, last }) => ({
        steps: [
          ...stays.flatMap(({ all, wait }): Step[] => [
            ...toRtr.map((state): Step => ({ do: 'modify_qp', at: 'responder', state })),
            ...recvs(all.length + 1, 2 * mtu + 64),
            ...all.flatMap((m) => [...send(m, mtu), ...(wait ? [settle] : [])]),
            settle,
          ]),
          ...(onward
            ? [{ do: 'modify_qp' as const, at: 'responder' as const, state: 'IBV_QPS_RTS' as const }]
            : []),
          ...send(last, mtu),
        ],
      }),
    ),
  aims: ['rc-established', 'rc-established-undue'],
};
