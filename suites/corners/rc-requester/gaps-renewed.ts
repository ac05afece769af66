import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { job } from '../../rc-requester/jobs.ts';
import { settle } from '../../verbs/parts.ts';
import { answer, answerFrom, requestsFrom, sent } from '../../rc-requester/parts.ts';

export const gapsRenewed: SuiteProperty = {
  id: 'rc-requester/gaps-renewed',
  suite: 'rc-requester',
  says: 'A gap in the responses that comes when an earlier one is healed is an implied NAK as that was.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        read: job(profile, ['read'], { mostMtus: 1 }),
        // a gap each
        reads: fc.integer({ min: 1, max: 2 }),
        first: fc.integer({ min: 0, max: 1 }),
        apart: fc.integer({ min: 1, max: 2 }),
        // the rest of the READ, or one response of it
        rest: fc.boolean(),
      },
      jobs: ({ read, reads }) =>
        Array.from({ length: reads }, () => ({ ...read, size: { mtus: reads === 1 ? 4 : 3, bytes: 0 } })),
      parts: (work, { reads, first, apart, rest }) => {
        const last = reads - 1;
        const second = last > 0 ? 0 : Math.min(2, first + apart);
        const passed = (n: number, index: number) => [
          ...answer(work, n).slice(index + 1, rest ? undefined : index + 2),
          ...sent(profile, requestsFrom(work, n)),
          // the answer that follows would hide that nothing was sent again
          settle,
        ];
        const healed = last > 0 ? answer(work, 0, first) : answer(work, 0).slice(first, second);
        return {
          retryCnt: 7,
          steps: [
            ...answer(work, 0).slice(0, first),
            ...passed(0, first),
            ...healed,
            ...passed(last, second),
            ...answerFrom(work, last, second),
          ],
        };
      },
    }),
  aims: ['rc-implied-nak', 'rc-retransmission-completed', 'rc-retry-counted-implied-nak'],
};
