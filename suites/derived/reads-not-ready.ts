import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { exchange } from '../rc-requester/exchange.ts';
import { answeredJobs, dataJobs, job, jobs } from '../rc-requester/jobs.ts';
import { afterTimeout, answer, needsResponse, requestsFrom, respond, wrPsn } from '../rc-requester/parts.ts';
import { patientTimeout, rnrUs, shortRnrCode } from '../rc-requester/timing.ts';

/** READs and ATOMICs that are refused as often as rnr_retry allows, one after the other, or once more. */
export const readsNotReady: SuiteProperty = {
  id: 'rc-requester/reads-not-ready',
  suite: 'rc-requester',
  says: 'A READ or ATOMIC that is refused by RNR NAKs comes again after each, and its answer gives all RNR retries back.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        reads: jobs(profile, answeredJobs, 3, { mostMtus: 3 }),
        other: fc.array(job(profile, dataJobs, { mostMtus: 1 }), { maxLength: 1 }),
        counter: fc.constantFrom(1, 2, 3),
        over: fc.constantFrom(0, 0, 0, 1),
        // of the retries of each, so many are left
        spare: fc.constantFrom(0, 0, 1),
        // a response is here, and the rest is asked for again, when it is refused
        within: fc.boolean(),
        code: shortRnrCode(),
        timeout: patientTimeout(profile),
      },
      jobs: ({ reads, other }) => [...reads, ...other],
      parts: (work, { counter, over, spare, within, code, timeout }) => {
        const last = work.wrs.length - 1;
        const refused = (n: number, index: number, times: number): Step[] => {
          const again: Step = {
            do: 'await',
            packets: requestsFrom(work, n),
            us: rnrUs(profile, code),
          };
          return Array.from({ length: times }, (): Step[] => [
            respond({ kind: 'rnr', timer: code }, wrPsn(n, index)),
            again,
          ]).flat();
        };
        const steps = work.wrs.flatMap((wr, n): Step[] => {
          const times = Math.max(0, counter - spare) + (n === last ? over : 0);
          const own = answer(work, n);
          if (!within || !needsResponse(wr) || own.length < 2) return [...refused(n, 0, times), ...own];
          return [
            ...refused(n, 0, Math.max(0, counter - spare)),
            ...own.slice(0, 1),
            afterTimeout(profile, timeout, requestsFrom(work, n)),
            ...refused(n, 1, 1),
            ...own.slice(1),
          ];
        });
        return { timeout, retryCnt: 7, rnrRetry: within ? counter + 1 : counter, steps };
      },
    }),
  aims: ['rc-progress-reloads', 'rc-rnr-retry-counted', 'rc-rnr-nak-retransmits', 'rc-rnr-retry-exhausted'],
};
