import fc from 'fast-check';
import { timingOf } from '../../rc-requester/timing.ts';
import type { SuiteProperty } from '../../property.ts';
import { post, query, scenarios, settle, to, wrOf } from '../../verbs/parts.ts';

const at = 'responder';

/** A CQ whose completions go around the end of its ring when it is resized. */
export const cqRingResized: SuiteProperty = {
  id: 'verbs/cq-ring-resized',
  suite: 'verbs',
  requires: ['cq-resize'],
  says: 'A CQ that is resized gives its completions in their order, wherever in its ring the oldest one is.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC', 'UC'],
      fc.record({
        cqe: fc.integer({ min: 4, max: 8 }),
        taken: fc.integer({ min: 1, max: 8 }),
        held: fc.integer({ min: 2, max: 8 }),
        more: fc.constantFrom(4, 1, 16, 0),
      }),
      (_, { cqe, taken, held, more }) => {
        const posts = (count: number) =>
          Array.from({ length: Math.min(count, cqe) }, () => post(at, wrOf({ length: 8, signaled: true })));
        return {
          cqe,
          steps: [
            to(at, 'IBV_QPS_ERR'),
            ...posts(taken),
            settle,
            ...posts(held),
            { do: 'sleep', us: timingOf(profile).prompt },
            { do: 'resize_cq', queue: 'send', cqe: cqe + more },
            settle,
            query,
          ],
        };
      },
    ),
  aims: ['completion-in-order', 'resize-cq-room', 'flush-send-in-error'],
};
