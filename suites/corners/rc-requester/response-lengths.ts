import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { everyJob, job } from '../../rc-requester/jobs.ts';
import { answer, answerFrom, answerUpTo, respond, wrPsn } from '../../rc-requester/parts.ts';

/** Each response of a READ of three, and that of a READ of one. */
const places = ['first', 'middle', 'last', 'only'] as const;

const lengths: Grid<[(typeof places)[number], number]> = {
  name: 'READ response of another length, and bytes that it has more',
  cells: () => pairs(places, [-1, 1, -4, 4]),
};

export const responseLengths: SuiteProperty = {
  id: 'rc-requester/response-lengths',
  suite: 'rc-requester',
  says: 'A READ response that is shorter or longer than asked for completes nothing, wherever it stands.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        cell: anyCell(lengths, profile),
        before: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 1 }),
        read: job(profile, ['read']),
        followers: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 1 }),
      },
      jobs: ({ cell: [place], before, read, followers }) => [
        ...before,
        { ...read, size: { mtus: place === 'only' ? 0 : 2, bytes: 9 } },
        ...followers,
      ],
      parts: (work, { cell: [place, bytes], before }) => {
        const n = before.length;
        const index = place === 'only' ? 0 : places.indexOf(place);
        return {
          steps: [
            ...answerUpTo(work, n),
            ...answer(work, n).slice(0, index),
            respond({ kind: 'read', bytes }, wrPsn(n, index)),
            settle,
            ...answerFrom(work, n, index),
          ],
        };
      },
    }),
  grids: [lengths],
  aims: ['rc-response-unfit', 'rc-send-unacknowledged', 'rc-memory-fetched'],
};
