import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { cnp, dcqcnOf, sleep, wide } from '../../congestion/parts.ts';
import { longest, rateAims, write } from '../../congestion/rate.ts';
import type { SuiteProperty } from '../../property.ts';
import { finish, scenarios } from '../../rc-requester/parts.ts';
import type { Step } from '../../scenario.ts';
import { post } from '../../unreliable/requests.ts';

/** At once: a limiter that is at work is no rest. */
const to = (state: 'SQD' | 'RTS'): Step => ({
  do: 'modify_qp',
  at: 'requester',
  state: `IBV_QPS_${state}`,
  midway: true,
});

export const rateInSqd: SuiteProperty = {
  id: 'congestion/rate-in-sqd',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'A QP that drains and sends again keeps its rate: what a CNP has cut grows back as ever.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cnps: fc.integer({ min: 1, max: 3 }),
        before: fc.constantFrom(0, 4096),
        slots: fc.constantFrom(0.5, 1.1, 2.5),
        drained: fc.constantFrom(0, 0.6, 2),
        after: fc.array(fc.constantFrom(longest, 16_384, 4096), { minLength: 1, maxLength: 2 }),
        again: fc.boolean(),
      }),
      (_, { cnps, before, slots, drained, after, again }) => {
        const { alphaSlot, decreaseSlot } = dcqcnOf(profile);
        return {
          live: true,
          retryCnt: 7,
          regionLength: longest,
          steps: [
            ...(before > 0 ? [post(write(before))] : []),
            ...Array.from({ length: cnps }, () => [cnp({ ecn: 1 }), sleep(slots * decreaseSlot)]).flat(),
            to('SQD'),
            ...(drained > 0 ? [sleep(drained * alphaSlot)] : []),
            ...(again ? [cnp({ ecn: 1 }), sleep(1.1 * decreaseSlot)] : []),
            to('RTS'),
            ...after.map((length) => post(write(length))),
            ...finish(profile),
            settle,
          ],
        };
      },
    ).map((scenario) => wide(profile, scenario)),
  aims: rateAims,
};
