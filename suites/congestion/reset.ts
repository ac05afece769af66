import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from '../rc-requester/parts.ts';
import type { Step } from '../scenario.ts';
import { cnp, dcqcnOf, sleep } from './parts.ts';

const again = (['RESET', 'INIT', 'RTR', 'RTS'] as const).map((state): Step => ({
  do: 'modify_qp',
  at: 'requester',
  state: `IBV_QPS_${state}`,
}));

export const reset: SuiteProperty = {
  id: 'congestion/reset',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'A QP that is reset sends at the line rate again, and its next CNP finds nothing of what was before.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.integer({ min: 1, max: 3 }),
        slots: fc.constantFrom(3, 1.2, 0.5),
        idle: fc.constantFrom(0, 0.5, 2),
        times: fc.constantFrom(1.1, 3),
      }),
      (_, { before, slots, idle, times }) => {
        const { alphaSlot, decreaseSlot } = dcqcnOf(profile);
        return {
          steps: [
            ...Array.from({ length: before }, () => [cnp({ ecn: 1 }), sleep(slots * alphaSlot)]).flat(),
            settle,
            ...again,
            ...(idle === 0 ? [] : [sleep(idle * alphaSlot)]),
            cnp({ ecn: 1 }),
            sleep(times * decreaseSlot),
            settle,
          ],
        };
      },
    ),
  aims: ['cc-rate-first-cnp', 'cc-cut-formula', 'cc-cut-target', 'cc-cut-owed'],
};
