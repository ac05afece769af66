import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import type { SuiteProperty } from '../../property.ts';
import { exhaustionUs, shortTimeout } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { post, query, receives, scenarios, settle, wrOf } from '../../verbs/parts.ts';

const at = 'responder';

/** A QP asks for something while it is asked for something. */
export const bothWays: SuiteProperty = {
  id: 'verbs/both-ways',
  suite: 'verbs',
  says: 'Requests that come to a QP are answered while its own are under way, and answer none of these.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC'],
      fc.record({
        timeout: shortTimeout(profile),
        retryCnt: fc.nat(2),
        kinds: fc.array(fc.constantFrom('SEND' as const, 'RDMA_WRITE' as const), {
          minLength: 1,
          maxLength: 3,
          size: 'max',
        }),
      }),
      (_, { timeout, retryCnt, kinds }) => {
        const small = { payload: { mtus: 0, bytes: 8 } };
        const target = { region: 0, offset: 0, length: 8 };
        const asked = kinds.map((kind): Step =>
          inject(packet(`${kind}_ONLY`, kind === 'SEND' ? small : { ...small, target })),
        );
        return {
          plan: { timeout, retryCnt },
          steps: [
            ...receives(at, 'RC', kinds.length),
            settle,
            post(at, wrOf({ length: 8, signaled: true })),
            { do: 'await', packets: 1, us: 100 },
            ...asked,
            // nobody answers
            { do: 'sleep', us: exhaustionUs(profile, timeout, retryCnt) },
            settle,
            query,
          ],
        };
      },
    ),
  aims: ['rc-timeout-overdue', 'rc-retry-exhausted', 'rc-send-complete-asked'],
};
