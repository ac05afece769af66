import fc from 'fast-check';
import { fullAccess } from '../arbitraries/base.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { message, packetsOf, receivesOf, type Message } from './messages.ts';
import { arrival, order } from './order.ts';
import { common, regionLength, scenarios } from './parts.ts';

export const invalidating: SuiteProperty = {
  ...common,
  requires: ['ooo', 'send-with-invalidate'],
  id: 'ooo/invalidating',
  says: 'A SEND with invalidate takes its R_Key away when everything in front of it has arrived, and not before.',
  arbitrary: (profile) => {
    const aimed = (kinds: readonly Message['kind'][]): fc.Arbitrary<Message[]> =>
      fc.array(
        fc
          .record({ drawn: message(profile, kinds, 2), region: fc.constantFrom(1, 1, 0) })
          .map(({ drawn, region }): Message => ({ ...drawn, region })),
        { maxLength: 3, size: 'max' },
      );
    return scenarios(
      profile,
      'responder',
      fc.record({
        before: aimed(['write', 'write', 'read', 'write-imm', 'fetch-add', 'send']),
        send: message(profile, ['send-inv'], 2),
        after: aimed(['write', 'send', 'write-imm']),
        chosen: order(6),
      }),
      ({ mtu }, { before, send, after, chosen }) => {
        const all: Message[] = [...before, { ...send, region: 1 }, ...after];
        const packets = packetsOf(all, mtu);
        const region = { length: regionLength(mtu), access: fullAccess(profile) };
        return {
          regions: [
            { ...region, fill: 1 },
            { ...region, fill: 9 },
          ],
          steps: [
            ...receivesOf(all, mtu),
            ...arrival(packets, chosen),
            settle,
            ...packets.map((packet): Step => ({ do: 'inject', packet })),
            settle,
          ],
        };
      },
    );
  },
  aims: [
    'ooo-completion-invalidated',
    'ooo-turn-send',
    'ooo-access-refused',
    'ooo-early-faulty',
    'ooo-nak-called-for',
    'ooo-ack-early',
  ],
};
