import fc from 'fast-check';
import { everyKind, message, packetsOf, send } from '../arbitraries/message.ts';
import { inject, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from './parts.ts';

export const tailLoss: SuiteProperty = {
  id: 'rc-responder/tail-loss',
  suite: 'rc-responder',
  says: 'Of packets lost at the end the responder says nothing until they come again; then the message is carried out once.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 1), { maxLength: 2 }),
        long: message(profile, ['send', 'write', 'send-imm', 'write-imm'], 4),
        lost: fc.integer({ min: 1, max: 3 }),
        us: fc.constantFrom(0, 50),
        retransmitted: fc.nat(2),
      }),
      ({ mtu }, { before, long, lost, us, retransmitted }) => {
        const all = packetsOf({ ...long, size: { ...long.size, mtus: Math.max(2, long.size.mtus) } }, mtu);
        const arrived = all.slice(0, Math.max(1, all.length - lost));
        return {
          steps: [
            ...recvs(before.length + 1, 4 * mtu + 64),
            ...before.flatMap((m) => send(m, mtu)),
            ...arrived.map(inject),
            settle,
            { do: 'sleep', us },
            settle,
            // a retransmission may begin with packets that did arrive
            ...arrived
              .slice(Math.max(0, arrived.length - retransmitted))
              .map((p, i, list) => inject({ ...p, psn: { from: 'next', offset: i - list.length } })),
            ...all.slice(arrived.length).map(inject),
            settle,
          ],
        };
      },
    ),
  aims: ['rc-response-unasked', 'rc-request-expected', 'rc-send-packet-asked', 'rc-write-packet-asked'],
};
