import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { hasAtomics } from '../arbitraries/base.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Reply, Step } from '../scenario.ts';
import { exchange } from '../rc-requester/exchange.ts';
import { everyJob, isAtomic, job, jobs, type Job } from '../rc-requester/jobs.ts';
import {
  afterTimeout,
  answer,
  answerFrom,
  answerUpTo,
  needsResponse,
  requestsFrom,
  respond,
  sent,
  share,
  wrPsn,
  type Work,
} from '../rc-requester/parts.ts';
import { expectedAt } from '../rc-requester/sequence-nak.ts';
import { exhaustionUs, patientTimeout, rnrUs, shortRnrCode, timingOf } from '../rc-requester/timing.ts';

/** What spends a retry, or looks as if it did: a NAK or RNR NAK at a PSN that has been acknowledged. */
type Cause = 'nak' | 'rnr' | 'timeout' | 'old-nak' | 'old-rnr';

interface Spot {
  n: number;
  index: number;
}

function spend(
  profile: Profile,
  work: Work,
  { n, index }: Spot,
  cause: Cause,
  code: number,
  timeout: number,
): Step[] {
  const wr = work.wrs[n];
  if (wr === undefined) return [];
  const packets = requestsFrom(work, n, index);
  const silence = afterTimeout(profile, timeout, packets);
  switch (cause) {
    case 'nak':
      return needsResponse(wr) && index > 0
        ? [silence]
        : [respond({ kind: 'nak', code: 0 }, wrPsn(n, index)), ...sent(profile, packets)];
    case 'rnr':
      return needsResponse(wr)
        ? [silence]
        : [
            respond({ kind: 'rnr', timer: code }, wrPsn(n, index)),
            { do: 'await', packets, us: rnrUs(profile, code) },
          ];
    case 'timeout':
      return [silence];
    case 'old-nak':
      return [respond({ kind: 'nak', code: 0 }, { from: 'oldest', offset: -1 })];
    case 'old-rnr':
      return [respond({ kind: 'rnr', timer: code }, { from: 'oldest', offset: -1 })];
  }
}

/** Both counters are spent nearly or wholly, and full again after each kind of progress. */
export const spentBetween: SuiteProperty = {
  id: 'rc-requester/counters-between-progress',
  suite: 'rc-requester',
  says: 'Retries are full again after any progress, an ACK inside of a message, a response of a READ, an ATOMIC, and after nothing else.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 3, { mostMtus: 3 }),
        causes: fc.array(
          fc.constantFrom<Cause>('nak', 'rnr', 'timeout', 'rnr', 'nak', 'old-nak', 'old-rnr'),
          {
            minLength: 2,
            maxLength: 6,
          },
        ),
        counter: fc.constantFrom(1, 2, 3, 0),
        rnrCounter: fc.constantFrom(1, 2, 3, 0, 7),
        within: fc.boolean(),
        over: fc.constantFrom(0, 0, 0, 1),
        code: shortRnrCode(),
        timeout: patientTimeout(profile),
      },
      jobs: ({ all }) => all,
      parts: (work, { all, causes, counter, rnrCounter, within, over, code, timeout }) => {
        const rnrs = Math.min(rnrCounter, 4);
        const round = (spot: Spot, last: boolean): Step[] => {
          let [retries, refusals] = [counter, rnrs];
          if (last) retries += over;
          const wr = work.wrs[spot.n];
          const steps: Step[] = [];
          for (let i = 0; i < 3 * causes.length; i++) {
            const cause = causes[i % causes.length] ?? 'nak';
            const counts = cause === 'rnr' && wr !== undefined && !needsResponse(wr) ? 'rnr' : 'retry';
            if (!cause.startsWith('old') && (counts === 'rnr' ? refusals-- : retries--) <= 0) break;
            steps.push(...spend(profile, work, spot, cause, code, timeout));
          }
          return steps;
        };
        const steps = all.flatMap((_, n): Step[] => {
          const wr = work.wrs[n];
          const own = answer(work, n);
          const middle = wr !== undefined && within && wr.length > work.mtu && !wr.opcode.includes('ATOMIC');
          const progress =
            wr !== undefined && needsResponse(wr) ? own.slice(0, 1) : [respond({ kind: 'ack' }, wrPsn(n))];
          const rest = wr !== undefined && needsResponse(wr) ? own.slice(1) : own;
          return [
            ...round({ n, index: 0 }, !middle && n === all.length - 1),
            ...(middle ? [...progress, ...round({ n, index: 1 }, n === all.length - 1), ...rest] : own),
          ];
        });
        return { timeout, retryCnt: counter, rnrRetry: rnrCounter, steps };
      },
    }),
  aims: ['rc-progress-reloads', 'rc-retry-exhausted', 'rc-rnr-retry-counted', 'rc-retry-counted-timeout'],
};

/** What ends a requester. */
type Ending = 'fatal' | 'naks' | 'rnrs' | 'silence';

/** Errors while work requests of every opcode are outstanding. */
export const errorsWithMany: SuiteProperty = {
  id: 'rc-requester/errors-with-many',
  suite: 'rc-requester',
  says: 'Whatever ends a requester with a dozen work requests under way, each completes once, in order, with what became of it.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        order: fc.shuffledSubarray([...everyJob, ...everyJob], { minLength: 5, maxLength: 14 }),
        like: fc.array(job(profile, everyJob, { mostMtus: 2 }), { minLength: 2, maxLength: 4 }),
        part: share(),
        ending: fc.constantFrom<Ending>('fatal', 'naks', 'rnrs', 'silence'),
        code: fc.integer({ min: 1, max: 3 }),
        timer: shortRnrCode(),
        counter: fc.constantFrom(1, 0, 2),
        timeout: patientTimeout(profile),
        coalesced: fc.boolean(),
        late: fc.boolean(),
      },
      jobs: ({ order, like }) =>
        order
          .filter((kind) => hasAtomics(profile) || !isAtomic({ kind }))
          .flatMap((kind, i): Job[] => {
            const one = like[i % like.length];
            return one === undefined ? [] : [{ ...one, kind, inline: false }];
          }),
      parts: (work, { part, ending, code, timer, counter, timeout, coalesced, late }) => {
        const at = expectedAt(work, part);
        const spot = ending === 'rnrs' ? { n: at.n, index: 0 } : at;
        const psn = wrPsn(spot.n, spot.index);
        const packets = requestsFrom(work, spot.n, spot.index);
        const times = (count: number, reply: Reply, us: number): Step[] =>
          Array.from({ length: count }, (): Step[] => [
            respond(reply, psn),
            { do: 'await', packets, us },
          ]).flat();
        const { prompt } = timingOf(profile);
        const end: Step[] =
          ending === 'fatal'
            ? [respond({ kind: 'nak', code }, psn)]
            : ending === 'naks'
              ? times(counter + 1, { kind: 'nak', code: 0 }, prompt)
              : ending === 'rnrs'
                ? times(counter + 1, { kind: 'rnr', timer }, rnrUs(profile, timer))
                : [{ do: 'sleep', us: exhaustionUs(profile, timeout, counter) }];
        return {
          retryCnt: counter,
          rnrRetry: counter,
          ...(ending === 'silence' && { timeout }),
          steps: [
            ...answerUpTo(work, spot.n, coalesced),
            ...end,
            settle,
            ...(late ? answerFrom(work, spot.n) : []),
          ],
        };
      },
    }),
  aims: ['rc-send-failed', 'rc-send-flushed', 'rc-send-completed-again', 'rc-retry-exhausted'],
};
