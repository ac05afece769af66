import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { answeredJobs, dataJobs, everyJob, job, jobs, psnsOf, wrOf } from './jobs.ts';
import { exchange } from './exchange.ts';
import {
  answer,
  answerFrom,
  finish,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  share,
  wrPsn,
} from './parts.ts';

export const lateResponses: SuiteProperty = {
  id: 'rc-requester/late-responses',
  suite: 'rc-requester',
  says: 'A response to a READ or ATOMIC that comes once more, with other data, leaves memory as the first one left it.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        first: jobs(profile, answeredJobs, 2, { mostMtus: 3 }),
        last: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 1 }),
        late: fc.array(share(), { minLength: 1, maxLength: 4 }),
        every: fc.boolean(),
      },
      jobs: ({ first, last }) => [...first, ...last],
      parts: (work, { late, every }, { mtu }) => {
        const answers = answerFrom(work);
        const spots = work.wrs.flatMap((wr, n) =>
          Array.from({ length: psnsOf(wr, mtu) }, (_, i) => ({ wr, n, i })),
        );
        // responses by the number of answers that have been given by then
        const lateAfter = (given: number): Step[] =>
          late.flatMap((part): Step[] => {
            const after = every ? given : Math.ceil(part * answers.length);
            const spot = spots[Math.floor(part * Math.min(given, spots.length))];
            if (given === 0 || after !== given || spot === undefined) return [];
            if (spot.wr.opcode === 'IBV_WR_RDMA_READ')
              return [respond({ kind: 'read', fill: 200 + given }, wrPsn(spot.n, spot.i))];
            return spot.wr.opcode.includes('ATOMIC')
              ? [respond({ kind: 'atomic', value: String(1000 + given) }, wrPsn(spot.n, spot.i))]
              : [];
          });
        return {
          steps: answers.flatMap((step, i) => [step, ...lateAfter(i + 1)]),
        };
      },
    }),
  aims: ['rc-response-duplicate', 'rc-response-data'],
};

export const inlineData: SuiteProperty = {
  id: 'rc-requester/inline',
  suite: 'rc-requester',
  says: 'Inline data are those of the moment of posting, on every transmission, whatever becomes of the buffer.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 1 }),
        inline: fc.array(
          fc.record({
            kind: fc.constantFrom(...dataJobs),
            bytes: fc.constantFrom(64, 1, 0, 3, 33),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        again: fc.boolean(),
      }),
      ({ mtu }, { before, inline, again }) => {
        const plain = {
          place: 'start',
          signaled: true,
          solicited: false,
          fence: false,
          operand: '0',
        } as const;
        const wrs = [
          ...before.map((j) => wrOf(j, mtu)),
          ...inline.map(({ kind, bytes }) =>
            wrOf({ ...plain, kind, inline: true, size: { mtus: 0, bytes } }, mtu),
          ),
        ];
        const work = { wrs, mtu };
        const n = before.length;
        return {
          retryCnt: 7,
          steps: [
            ...wrs.flatMap((wr, i): Step[] => [
              ...postAll({ wrs: [wr], mtu }),
              ...(i < n ? [] : [{ do: 'write_buffer' as const, wr: i, fill: 90 + i }]),
            ]),
            ...sent(profile, requestsFrom(work)),
            ...answerFrom({ wrs: wrs.slice(0, n), mtu }),
            ...(again
              ? [respond({ kind: 'nak', code: 0 }, wrPsn(n)), ...sent(profile, requestsFrom(work, n))]
              : []),
            ...wrs.slice(n).flatMap((_, i) => answer(work, n + i)),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-request-payload', 'rc-repeat-same'],
};
