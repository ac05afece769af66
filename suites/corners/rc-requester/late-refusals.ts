import fc from 'fast-check';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { dataJobs, job, jobs } from '../../rc-requester/jobs.ts';
import { answer, answerFrom, respond } from '../../rc-requester/parts.ts';
import { rnrUs } from '../../rc-requester/timing.ts';
import type { Reply, ResponsePsn, Step } from '../../scenario.ts';

const code = 5;
const refusals: readonly Reply[] = [
  { kind: 'rnr', timer: code },
  { kind: 'nak', code: 0 },
  { kind: 'nak', code: 1 },
  { kind: 'nak', code: 2 },
  { kind: 'nak', code: 3 },
];

const stray: Grid<{ acknowledged: Reply; unsent: Reply }> = {
  name: 'refusals of what is acknowledged, and of what was never sent',
  cells: () =>
    refusals.flatMap((acknowledged, i) =>
      refusals
        .slice((i + 2) % refusals.length)
        .slice(0, 1)
        .map((unsent) => ({ acknowledged, unsent })),
    ),
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
        unsentFirst: fc.boolean(),
      },
      jobs: ({ first, others }) => [first, ...others],
      parts: (work, { cell: { acknowledged, unsent }, far, twice, unsentFirst }) => {
        const strays = (reply: Reply, psn: ResponsePsn): Step[] => {
          const refusal = respond(reply, psn);
          // a device that obeys it does so behind a wait
          return [refusal, ...(twice ? [refusal] : []), { do: 'sleep', us: rnrUs(profile, code) }];
        };
        const late = strays(acknowledged, { from: 'oldest', offset: -1 });
        const early = strays(unsent, { from: 'newest', offset: 1 + far });
        return {
          steps: [
            ...answer(work, 0),
            ...(unsentFirst ? [...early, ...late] : [...late, ...early]),
            ...answerFrom(work, 1),
          ],
        };
      },
    }),
  grids: [stray],
  aims: ['rc-response-duplicate', 'rc-response-ghost'],
};
