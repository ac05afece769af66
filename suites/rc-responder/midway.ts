import fc from 'fast-check';
import { everyKind, message, send } from '../arbitraries/message.ts';
import { regionLength } from '../arbitraries/base.ts';
import { inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from './parts.ts';

export const readsMidway: SuiteProperty = {
  id: 'rc-responder/read-leaves-region',
  suite: 'rc-responder',
  says: 'A READ that runs out of its region is refused in place of a response, with the PSN of that one, and no byte from beyond is sent.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        packets: fc.integer({ min: 1, max: 4 }),
        inside: fc.integer({ min: 0, max: 3 }),
        rest: fc.constantFrom(0, 1, -1, 17),
        before: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        receives: fc.nat(1),
      }),
      ({ mtu }, { packets, inside, rest, before, receives }) => {
        const room = Math.max(1, inside * mtu + rest);
        return {
          steps: [
            ...recvs(before.length + receives, mtu + 64),
            ...before.flatMap((m) => send(m, mtu)),
            inject(
              packet('RDMA_READ_REQUEST', {
                target: {
                  region: 0,
                  offset: Math.max(0, regionLength(mtu) - room),
                  length: Math.max(room + 1, packets * mtu),
                },
              }),
            ),
            settle,
            ...before.flatMap((m) => send(m, mtu)),
          ],
        };
      },
    ),
  aims: ['rc-read-denied-midway'],
};
