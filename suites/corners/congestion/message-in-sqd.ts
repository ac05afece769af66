import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { unreliable } from '../../arbitraries/unreliable.ts';
import { cut, dcqcnOf, sleep, wide } from '../../congestion/parts.ts';
import { longest, write } from '../../congestion/rate.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { post } from '../../unreliable/requests.ts';
import { query } from '../../verbs/parts.ts';

/** A rate that was cut so often leaves time between two packets of a message for a call. */
const cuts = 12;

/** What is begun at a low rate is sent to its end in SQD. */
export const messageInSqd: SuiteProperty = {
  id: 'congestion/message-in-sqd',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn', 'uc'],
  says: 'A message of UC that is sent in part when its QP goes to SQD is sent to its end, and nothing behind it.',
  arbitrary: (profile) =>
    unreliable(
      'UC',
      'requester',
      profile,
      fc.record({
        length: fc.constantFrom(longest, 16_384),
        behind: fc.nat(2),
        asks: fc.boolean(),
        us: fc.constantFrom(2, 5, 20),
        again: fc.boolean(),
      }),
      (_, { length, behind, asks, us, again }) => {
        const dcqcn = dcqcnOf(profile);
        const to = (state: 'SQD' | 'RTS', midway: boolean): Step => ({
          do: 'modify_qp',
          at: 'requester',
          state: `IBV_QPS_${state}`,
          ...(state === 'SQD' && { attr: { en_sqd_async_notify: asks } }),
          ...(midway && { midway }),
        });
        return {
          scripted: true,
          steps: [
            { do: 'query_port' },
            post(write(4096)),
            ...Array.from({ length: cuts }, () => cut(dcqcn)).flat(),
            post(write(length)),
            ...Array.from({ length: behind }, () => post(write(2048))),
            { do: 'sleep', us },
            to('SQD', true),
            sleep(4 * dcqcn.timer),
            settle,
            query,
            ...(again ? [to('RTS', false), settle] : []),
          ],
        };
      },
    ).map((scenario) => wide(profile, scenario)),
  aims: ['uc-send-goes-on', 'unreliable-sent-stopped', 'drained-late'],
};
