import fc from 'fast-check';
import { packetsOf, send } from '../arbitraries/message.ts';
import { recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { responders, sequence, ucMessage } from './uc-parts.ts';

export const sharedLoss: SuiteProperty = {
  id: 'uc/shared-receives',
  suite: 'uc',
  requires: ['uc', 'uc-srq'],
  says: 'A receive WQE of an SRQ whose message was given up is used again or completes as aborted, and the QP goes on.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        all: fc.array(
          fc.record({ message: ucMessage(profile, 4, ['send', 'send-imm', 'write-imm']), lost: fc.nat(4) }),
          { minLength: 1, maxLength: 3 },
        ),
        after: ucMessage(profile, 2, ['send', 'send-imm']),
        receives: fc.integer({ min: 1, max: 5 }),
      }),
      ({ mtu }, { all, after, receives }) => ({
        steps: [
          ...recvs(receives, 4 * mtu + 64),
          ...sequence(
            all.flatMap(({ message, lost }) =>
              packetsOf(message, mtu).map((packet, i) => ({ packet, lost: lost === i })),
            ),
          ),
          ...send(after, mtu),
          settle,
          { do: 'query_srq' },
        ],
      }),
    ).map((scenario) => ({ ...scenario, srq: true })),
  aims: ['uc-shared-receive-reused', 'uc-shared-receive-aborted', 'flush-shared-receive'],
};
