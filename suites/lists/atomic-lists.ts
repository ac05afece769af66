import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { cellOf, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import { answeredJobs, job, wrOf, type JobKind } from '../rc-requester/jobs.ts';
import { answerFrom, finish, postAll, requestsFrom, scenarios, sent } from '../rc-requester/parts.ts';
import { mostElements } from './values.ts';

/** Elements that the eight bytes of an ATOMIC can be spread over. */
const counts = (profile: Profile): number[] => [2, 3, 5, 8].filter((n) => n <= mostElements(profile));

const lists: Grid<[JobKind, number]> = {
  name: 'kind of ATOMIC, and elements of its list',
  cells: (profile) => pairs(['fetch-add', 'cmp-swap'], counts(profile)),
};

/** ATOMICs whose original value goes to several places, alone and between others. */
export const atomicLists: SuiteProperty = {
  id: 'rc-requester/atomic-lists',
  suite: 'rc-requester',
  requires: ['atomic'],
  says: 'The original value of an ATOMIC goes to all elements of its list in their order.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        like: job(profile, ['fetch-add', 'cmp-swap']),
        others: fc.array(job(profile, answeredJobs, { mostMtus: 1 }), { maxLength: 2 }),
        elements: fc.constantFrom(...counts(profile), 1),
        cell: cellOf(lists, profile),
      }),
      ({ mtu }, { like, others, elements: few, cell }) => {
        const [kind, sges] = cell ?? [like.kind, few];
        const wrs = [
          { ...wrOf({ ...like, kind, signaled: true }, mtu), ...(sges > 1 && { sges }) },
          ...others.map((one) => wrOf(one, mtu)),
        ];
        const work = { wrs, mtu };
        return {
          steps: [
            ...postAll(work),
            ...sent(profile, requestsFrom(work)),
            ...answerFrom(work),
            ...finish(profile),
          ],
        };
      },
    ),
  grids: [lists],
  aims: ['rc-memory-fetched', 'rc-send-completes'],
};
