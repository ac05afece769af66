import fc from 'fast-check';
import { everyKind, message, send } from '../arbitraries/message.ts';
import { recvs, settle } from '../arbitraries/packets.ts';
import { statePaths } from '../arbitraries/state-paths.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { scenarios } from './parts.ts';

export const states: SuiteProperty = {
  id: 'rc-responder/qp-states',
  suite: 'rc-responder',
  says: 'A QP answers in RTR, RTS and SQD and is silent in RESET, INIT and ERR; ERR flushes what was posted.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 2), { maxLength: 2 }),
        path: fc.constantFrom(...statePaths),
        receives: fc.nat(3),
        each: fc.boolean(),
        after: fc.array(message(profile, everyKind, 2), { minLength: 1, maxLength: 3 }),
      }),
      ({ mtu }, { before, path, receives, each, after }) => {
        const probe = after.flatMap((m) => send(m, mtu));
        return {
          steps: [
            ...recvs(receives, 2 * mtu + 64),
            ...before.flatMap((m) => send(m, mtu)),
            settle,
            ...path.flatMap((state, i): Step[] => [
              { do: 'modify_qp', at: 'responder', state },
              ...(each && i < path.length - 1 ? [...probe.slice(0, 1), settle] : []),
            ]),
            ...recvs(1, 2 * mtu + 64),
            ...probe,
            settle,
          ],
        };
      },
    ),
  aims: [
    'rc-drop-state',
    'rc-state-kept',
    'rc-receive-flushed',
    'rc-send-complete-asked',
    'rc-write-immediate-asked',
  ],
};
