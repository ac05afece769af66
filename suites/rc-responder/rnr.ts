import fc from 'fast-check';
import { rnrMicroseconds } from '../../spec/constants.ts';
import { everyKind, lengthOf, message, packetsOf, send } from '../arbitraries/message.ts';
import { at, inject, recv, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { scenarios } from './parts.ts';

export const notReady: SuiteProperty = {
  id: 'rc-responder/receiver-not-ready',
  suite: 'rc-responder',
  says: 'A message that needs a receive WQE and finds none draws an RNR NAK, takes nothing, and succeeds once one is posted.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 1), { maxLength: 2 }),
        refused: message(profile, ['send', 'send-imm', 'write-imm'], 2),
        whole: fc.boolean(),
        followers: fc.array(message(profile, everyKind, 1), { maxLength: 2 }),
        again: fc.boolean(),
        duplicate: fc.boolean(),
        post: fc.boolean(),
        inTime: fc.boolean(),
      }),
      ({ mtu, minRnrTimer }, { before, refused, whole, followers, again, duplicate, post, inTime }) => {
        const packets = packetsOf(refused, mtu);
        const refusedSteps = (whole ? packets : packets.slice(0, 1)).map(inject);
        const wait: Step[] = inTime ? [{ do: 'sleep', us: rnrMicroseconds[minRnrTimer] ?? 0 }] : [];
        return {
          steps: [
            ...before.flatMap((m) => [recv(lengthOf(m, mtu)), ...send(m, mtu), settle]),
            // Receive WQEs that the messages before did not take go to these.
            ...refusedSteps,
            settle,
            ...followers.flatMap((m) =>
              packetsOf(m, mtu)
                .slice(0, 1)
                .map((p) => inject(at(p, 1))),
            ),
            ...(again ? [...wait, ...refusedSteps, settle] : []),
            ...(duplicate ? [inject(at(packetsOf(refused, mtu)[0] ?? neverEmpty(), -1)), settle] : []),
            ...(post ? [...wait, recv(2 * mtu + 64), ...send(refused, mtu), settle] : []),
          ],
        };
      },
    ),
  aims: ['rc-receiver-not-ready', 'rc-request-early', 'rc-request-ahead-after-rnr-nak', 'rc-msn-in-nak'],
};

function neverEmpty(): never {
  throw new Error('a message has at least one packet');
}
