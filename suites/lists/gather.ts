import fc from 'fast-check';
import { bytesOf } from '../arbitraries/scalars.ts';
import { cellOf, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import { job, wrOf, type JobKind } from '../rc-requester/jobs.ts';
import { answerFrom, finish, postAll, requestsFrom, scenarios, sent } from '../rc-requester/parts.ts';
import { immediates, listLengths, listSizes } from './values.ts';

const lists: Grid<[JobKind, number]> = {
  name: 'kind of work request, and elements of its list, in six lengths',
  cells: (profile) => pairs(['send', 'send-imm', 'write', 'write-imm', 'read'], listLengths(profile)),
};

/** Work requests of one kind in all lengths, whose data are in so many places. */
export const gatherLists: SuiteProperty = {
  id: 'rc-requester/gather-lists',
  suite: 'rc-requester',
  says: 'The data of a work request are the bytes of all elements of its list in their order, to either end of the memory at the far end.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        like: job(profile, ['send', 'write', 'read', 'send-imm', 'write-imm'], { mostMtus: 2 }),
        elements: fc.integer({ min: 1, max: 4 }),
        cell: cellOf(lists, profile),
        first: fc.nat(immediates.length - 1),
      }),
      ({ mtu }, { like, elements: few, cell, first }) => {
        const [kind, elements] = cell ?? [like.kind, few];
        const wrs = listSizes(elements).map((size, i) => {
          const one = { ...like, kind, size, inline: false, place: i % 2 === 0 ? 'start' : 'end' } as const;
          const immediate = immediates[(first + i) % immediates.length];
          return {
            ...wrOf(one, mtu),
            ...(elements > 1 && bytesOf(size, mtu, mtu * 3) > 0 && { sges: elements }),
            ...(kind.endsWith('imm') && { immediate }),
          };
        });
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
  aims: ['rc-request-payload', 'rc-request-target', 'rc-send-completes'],
};
