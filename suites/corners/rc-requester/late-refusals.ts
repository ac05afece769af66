import fc from 'fast-check';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { dataJobs, job, jobs } from '../../rc-requester/jobs.ts';
import { answer, answerFrom, respond } from '../../rc-requester/parts.ts';
import { rnrUs } from '../../rc-requester/timing.ts';
import type { Reply, ResponsePsn } from '../../scenario.ts';

/** What it refuses: a request that was acknowledged, or one that was never sent. */
const what = ['acknowledged', 'never sent'] as const;

const code = 5;
const refusals: readonly Reply[] = [
  { kind: 'rnr', timer: code },
  { kind: 'nak', code: 0 },
  { kind: 'nak', code: 1 },
  { kind: 'nak', code: 2 },
  { kind: 'nak', code: 3 },
];

const stray: Grid<[Reply, (typeof what)[number]]> = {
  name: 'refusal that comes when it is too late or too early, and what it refuses',
  cells: () => what.flatMap((one) => pairs(refusals, [one])),
};

export const lateRefusals: SuiteProperty = {
  id: 'rc-requester/late-refusals',
  suite: 'rc-requester',
  says: 'A NAK of what is acknowledged, or was never sent, ends nothing, sends nothing again, and lets nothing wait.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        cell: anyCell(stray, profile),
        first: job(profile, dataJobs, { mostMtus: 1 }),
        others: jobs(profile, dataJobs, 2, { mostMtus: 2 }),
        far: fc.nat(3),
        twice: fc.boolean(),
      },
      jobs: ({ first, others }) => [first, ...others],
      parts: (work, { cell: [reply, one], far, twice }) => {
        const psn: ResponsePsn =
          one === 'acknowledged' ? { from: 'oldest', offset: -1 } : { from: 'newest', offset: 1 + far };
        const refusal = respond(reply, psn);
        return {
          steps: [
            ...answer(work, 0),
            refusal,
            ...(twice ? [refusal] : []),
            // what a device that heeds it would do behind a wait
            { do: 'sleep', us: rnrUs(profile, code) },
            ...answerFrom(work, 1),
          ],
        };
      },
    }),
  grids: [stray],
  aims: ['rc-response-duplicate', 'rc-response-ghost'],
};
