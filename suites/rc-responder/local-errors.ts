import fc from 'fast-check';
import { message, send } from '../arbitraries/message.ts';
import { recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from './parts.ts';

export const badReceive: SuiteProperty = {
  id: 'rc-responder/receive-buffer-key',
  suite: 'rc-responder',
  says: 'A SEND into a receive WQE whose lkey is invalid draws NAK remote operational error, and the WQE tells why.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        message: message(profile, ['send', 'send-imm', 'write-imm'], 2),
        before: fc.boolean(),
        spareReceives: fc.nat(2),
      }),
      ({ mtu }, { message, before, spareReceives }) => ({
        steps: [
          ...(before ? recvs(1, 2 * mtu + 64) : []),
          { do: 'post_recv', length: 2 * mtu + 64, badLkey: true },
          ...recvs(spareReceives, 16),
          ...(before ? send(message, mtu) : []),
          ...send(message, mtu),
          settle,
          ...send(message, mtu),
        ],
      }),
    ),
  aims: ['rc-receive-buffer-faulty', 'rc-report-local-memory'],
};
