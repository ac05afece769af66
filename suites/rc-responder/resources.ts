import fc from 'fast-check';
import { message } from '../arbitraries/message.ts';
import { recvs, settle } from '../arbitraries/packets.ts';
import { base, responderScenario } from '../arbitraries/base.ts';
import type { SuiteProperty } from '../property.ts';
import { send } from './parts.ts';

const kinds = ['read', 'fetch-add', 'cmp-swap'] as const;

export const resources: SuiteProperty = {
  id: 'rc-responder/read-atomic-resources',
  suite: 'rc-responder',
  says: 'READs and ATOMICs up to max_dest_rd_atomic are all answered; with none allowed, all are refused.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        depth: fc.constantFrom(0, 1, 2, 4),
        messages: fc.array(message(profile, kinds, 3), { minLength: 1, maxLength: 6, size: 'max' }),
        wait: fc.boolean(),
      })
      .map(({ chosen, depth, messages, wait }) =>
        responderScenario(
          profile,
          { ...chosen, maxDestRdAtomic: Math.min(depth, profile.limits.maxDestRdAtomic) },
          {
            steps: [
              // Left to be flushed once a request is refused.
              ...recvs(1, 8),
              ...messages.flatMap((m) => [...send(m, chosen.mtu), ...(wait ? [settle] : [])]),
            ],
          },
        ),
      ),
  aims: ['rc-no-responder-resources', 'rc-responder-resources-exceeded', 'rc-report-resources'],
};
