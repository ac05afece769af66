import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import { onGrid, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { answeredJobs, dataJobs, everyJob, job, jobs } from './jobs.ts';
import {
  answer,
  answerFrom,
  finish,
  mostReads,
  needsResponse,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  workOf,
  wrPsn,
} from './parts.ts';
import { evenly, timingOf } from './timing.ts';

/** READs and ATOMICs that may be under way. */
const depths: Grid<number> = { name: 'max_rd_atomic', cells: (profile) => range(1, mostReads(profile)) };

export const windows: SuiteProperty = {
  id: 'rc-requester/read-window',
  suite: 'rc-requester',
  says: 'No more READs and ATOMICs are under way than max_rd_atomic allows; the next goes out when the oldest is done.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        depth: onGrid(
          depths,
          profile,
          fc.oneof(
            { withCrossShrink: true },
            fc.constantFrom(1, mostReads(profile)),
            evenly(1, mostReads(profile)),
          ),
        ),
        more: fc.integer({ min: 1, max: 3 }),
        one: fc.array(job(profile, answeredJobs, { mostMtus: 2 }), { minLength: 1, maxLength: 3 }),
        between: fc.array(job(profile, dataJobs, { mostMtus: 1 }), { maxLength: 2 }),
        step: timingOf(profile).virtual ? fc.integer({ min: 1, max: 3 }) : fc.constant(1),
        lost: fc.boolean(),
      }),
      ({ mtu }, { depth, more, one, between, step, lost }) => {
        const reads = Array.from({ length: depth + more }, (_, i) => one[i % one.length]).filter(
          (j) => j !== undefined,
        );
        const all = [...reads.slice(0, 1), ...between.slice(0, 1), ...reads.slice(1), ...between.slice(1)];
        const work = workOf(all, mtu);
        const limited = work.wrs.flatMap((wr, n) => (needsResponse(wr) ? [n] : []));
        // the requests that may go out before anything is answered
        const at = (n: number): number => limited[n] ?? work.wrs.length;
        const begun = requestsFrom({ wrs: work.wrs.slice(0, at(depth)), mtu });
        const paced = (every: number): Step[] =>
          work.wrs.flatMap((_, n) => {
            const waits = at(limited.indexOf(n) + depth) < work.wrs.length;
            return [
              ...answer(work, n),
              ...(limited.includes(n) && waits && n % every === 0 ? sent(profile, 1) : []),
            ];
          });
        return {
          maxRdAtomic: depth,
          steps: [
            ...postAll(work),
            ...sent(profile, begun),
            ...(lost ? [respond({ kind: 'nak', code: 0 }, wrPsn(0)), ...sent(profile, begun)] : []),
            ...paced(step),
            // a response that came before its request was sent counts for nothing
            ...(step > 1 ? paced(1) : []),
            ...finish(profile),
          ],
          retryCnt: 7,
        };
      },
    ),
  grids: [depths],
  aims: ['rc-reads-outstanding'],
};

export const noReads: SuiteProperty = {
  id: 'rc-requester/no-reads',
  suite: 'rc-requester',
  says: 'With max_rd_atomic 0 no READ or ATOMIC is sent, nor anything behind it; software gets it back by ERR.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(job(profile, dataJobs, { mostMtus: 1 }), { maxLength: 2 }),
        held: job(profile, answeredJobs, { mostMtus: 2 }),
        behind: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        ends: fc.boolean(),
      }),
      ({ mtu }, { before, held, behind, ends }) => {
        const work = workOf([...before, held, ...behind], mtu);
        const begun = workOf(before, mtu);
        return {
          maxRdAtomic: 0,
          steps: [
            ...postAll(work),
            ...sent(profile, requestsFrom(begun)),
            ...answerFrom(begun),
            settle,
            ...(ends
              ? [
                  { do: 'modify_qp' as const, at: 'requester' as const, state: 'IBV_QPS_ERR' as const },
                  settle,
                ]
              : []),
            { do: 'query_qp' },
          ],
        };
      },
    ),
  aims: ['rc-reads-outstanding', 'flush-send-in-error'],
};

export const fences: SuiteProperty = {
  id: 'rc-requester/fence',
  suite: 'rc-requester',
  says: 'A fenced work request is not begun before every READ and ATOMIC in front of it has been answered.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        first: jobs(profile, everyJob, 3, { mostMtus: 2 }),
        fenced: job(profile, everyJob, { mostMtus: 1 }),
        last: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        wait: fc.boolean(),
      }),
      ({ mtu }, { first, fenced, last, wait }) => {
        const all = [...first, { ...fenced, fence: true }, ...last];
        const work = workOf(all, mtu);
        return {
          steps: [
            ...postAll(work),
            settle,
            ...work.wrs.flatMap((_, n): Step[] => [
              ...answer(work, n),
              ...(wait || n + 1 >= first.length ? [settle] : []),
            ]),
            ...answerFrom(work, first.length),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-request-fenced'],
};
