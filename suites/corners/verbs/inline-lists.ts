import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { post, query, scenarios, settle, wrOf } from '../../verbs/parts.ts';

export const inlineLists: SuiteProperty = {
  id: 'verbs/inline-lists',
  suite: 'verbs',
  says: 'Inline data are those of all elements of the list, in its order.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      ['RC', 'UC', 'UD'],
      fc.array(
        fc.record({
          length: fc.constantFrom(64, 33, 9, 4),
          sges: fc.integer({ min: 2, max: 4 }),
          signaled: fc.boolean(),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      (_, all) => ({
        steps: [
          ...all.map(({ length, sges, signaled }) =>
            post('requester', wrOf({ length, signaled }, { inline: true, sges })),
          ),
          settle,
          query,
        ],
      }),
    ),
  aims: ['rc-request-payload', 'unreliable-request-payload'],
};
