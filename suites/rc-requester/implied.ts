import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import { psnAdd } from '../../wire/index.ts';
import { cellOf, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import { packetCount } from '../segments.ts';
import type { Step } from '../scenario.ts';
import { answeredJobs, dataJobs, everyJob, job, type Job } from './jobs.ts';
import { exchange } from './exchange.ts';
import {
  afterTimeout,
  answer,
  answerFrom,
  answerUpTo,
  requestsFrom,
  respond,
  sent,
  share,
  wrPsn,
} from './parts.ts';
import { exhaustionUs, patientTimeout, shortTimeout } from './timing.ts';

/** What passes over an answer that is missing. `own`: the next response of the READ itself, or all the rest of them. */
type Told = 'own' | 'rest' | 'follower' | 'last' | 'ack';

/** The rest of a READ, which brings its end, most often. */
const passes: Grid<Told> = {
  name: 'what passes over a missing response',
  every: 2,
  cells: () => ['rest', 'follower', 'own', 'rest', 'last', 'ack'],
};

/** A READ of at least two responses. */
function longRead(passed: Job): Job {
  const { mtus, bytes } = passed.size;
  return { ...passed, kind: 'read', size: { mtus: Math.max(2, mtus), bytes } };
}

export const impliedNak: SuiteProperty = {
  id: 'rc-requester/implied-nak',
  suite: 'rc-requester',
  says: 'A READ or ATOMIC that later responses pass over is requested again, from its first missing response on.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        passed: job(profile, ['read', ...answeredJobs], { mostMtus: 4 }),
        followers: fc.array(job(profile, everyJob, { mostMtus: 2 }), { minLength: 1, maxLength: 3 }),
        lost: share(),
        // the next responses of the READ itself, if it has any, or one of a follower
        // or an Acknowledge that names the READ itself
        told: fc.constantFrom<Told>('own', 'rest', 'follower', 'last', 'ack'),
        cell: cellOf(passes, profile),
        times: fc.integer({ min: 1, max: 3 }),
        fromStart: fc.boolean(),
        answerBefore: fc.boolean(),
        // what was passed over is answered first, and time given to go on
        alone: fc.boolean(),
      },
      jobs: ({ before, passed, followers, cell }) => [
        ...before,
        cell === 'own' || cell === 'rest' ? longRead(passed) : passed,
        ...followers,
      ],
      parts: (
        work,
        { before, lost, told: rolled, cell, times, fromStart, answerBefore, alone },
        { mtu, retryCnt },
      ) => {
        const told = cell ?? rolled;
        const n = before.length;
        const own = answer(work, n);
        // a READ passes over an answer by the next one
        const latest = told === 'own' || told === 'rest' ? Math.max(0, own.length - 2) : own.length - 1;
        const missing = Math.min(latest, Math.floor(lost * own.length));
        const pass: Step[] =
          (told === 'own' || told === 'rest') && missing + 1 < own.length
            ? own.slice(missing + 1, told === 'rest' ? undefined : missing + 2)
            : told === 'ack'
              ? [respond({ kind: 'ack' }, wrPsn(n, missing))]
              : told === 'last'
                ? answer(work, work.wrs.length - 1)
                : answer(work, n + 1);
        return {
          retryCnt: fromStart ? retryCnt : Math.max(times, retryCnt),
          steps: [
            ...(answerBefore ? answerUpTo(work, n) : []),
            ...own.slice(0, missing),
            ...Array.from({ length: times }, () => [
              ...pass,
              ...sent(profile, requestsFrom(work, n, missing)),
            ]).flat(),
            ...(alone ? [...answerFrom({ wrs: work.wrs.slice(0, n + 1), mtu }, n, missing), settle] : []),
            ...(fromStart || !answerBefore ? answerFrom(work) : answerFrom(work, n, missing)),
          ],
        };
      },
    }),
  grids: [passes],
  aims: [
    'rc-implied-nak',
    'rc-ack-of-open-read',
    'rc-retry-counted-implied-nak',
    'rc-memory-fetched',
    'rc-retransmission-completed',
  ],
};

export const impliedNakSilence: SuiteProperty = {
  id: 'rc-requester/implied-nak-silence',
  suite: 'rc-requester',
  says: 'An implied NAK costs one retry: towards a peer that is silent after it, one fewer is left.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: fc.array(job(profile, dataJobs, { mostMtus: 1 }), { maxLength: 1 }),
        passed: job(profile, answeredJobs, { mostMtus: 2 }),
        followers: fc.array(job(profile, everyJob, { mostMtus: 1 }), { minLength: 1, maxLength: 2 }),
        timeout: patientTimeout(profile),
      },
      jobs: ({ before, passed, followers }) => [...before, passed, ...followers],
      parts: (work, { before, timeout }, { retryCnt }) => {
        const n = before.length;
        return {
          timeout,
          finishUs: exhaustionUs(profile, timeout, retryCnt),
          steps: [
            ...answerUpTo(work, n),
            ...answer(work, n + 1).slice(0, 1),
            ...sent(profile, requestsFrom(work, n)),
          ],
        };
      },
    }),
  aims: ['rc-retry-counted-implied-nak', 'rc-retry-exhausted', 'rc-retry-exhausted-nak'],
};

/** What makes a READ that has been answered in part be requested again. */
type Cause = 'timeout' | 'nak-behind' | 'implied';

/** The same with memory that begins below a multiple of 2^32 and ends above it. */
export const readRetryFar: SuiteProperty = {
  id: 'rc-requester/read-retry-far',
  suite: 'rc-requester',
  says: 'A READ that is requested again for the rest names its whole address, also where the lower 32 bits have passed 0.',
  arbitrary: (profile) =>
    readRetry.arbitrary(profile).map((scenario) => ({
      ...scenario,
      regions: scenario.regions.map((region) => ({ ...region, straddles: true as const })),
    })),
  aims: ['rc-request-target'],
};

export const readRetry: SuiteProperty = {
  id: 'rc-requester/read-retry',
  suite: 'rc-requester',
  says: 'A READ that was answered in part is requested again for the rest, as often as it takes, and its data are right.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: fc.array(job(profile, dataJobs, { mostMtus: 1 }), { maxLength: 1 }),
        read: job(profile, ['read'], { mostMtus: 4 }),
        followers: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        rounds: fc.array(
          fc.record({
            given: fc.integer({ min: 0, max: 2 }),
            cause: fc.constantFrom<Cause>('timeout', 'nak-behind', 'implied'),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        timeout: shortTimeout(profile),
        // so many of its responses come with the last PSNs before 0
        wrap: fc.constantFrom(1, undefined, 1, 2),
      },
      jobs: ({ before, read, followers, wrap }) => [
        ...before,
        wrap === undefined ? read : longRead(read),
        ...followers,
      ],
      parts: (work, { before, followers, rounds, timeout, wrap }, { startPsn, mtu }) => {
        const n = before.length;
        const ahead = work.wrs.slice(0, n).reduce((sum, { length }) => sum + packetCount(length, mtu), 0);
        const own = answer(work, n);
        let at = 0;
        const steps = rounds.flatMap(({ given, cause }): Step[] => {
          const upTo = Math.min(own.length - 1, at + given);
          const some = own.slice(at, upTo);
          at = upTo;
          const packets = requestsFrom(work, n);
          const wait: Step = afterTimeout(profile, timeout, packets);
          if (cause === 'nak-behind' && followers.length > 0)
            return [...some, respond({ kind: 'nak', code: 0 }, wrPsn(n + 1)), wait];
          if (cause === 'implied' && followers.length > 0)
            return [...some, ...answer(work, n + 1).slice(0, 1), wait];
          return [...some, wait];
        });
        return {
          startPsn: wrap === undefined ? startPsn : psnAdd(0, -ahead - wrap),
          timeout,
          retryCnt: 7,
          steps: [...answerUpTo(work, n), ...steps, ...answerFrom(work, n, at)],
        };
      },
    }),
  aims: [
    'rc-response-data',
    'rc-request-target',
    'rc-implied-nak-by-nak',
    'rc-implied-nak-by-rnr-nak',
    'rc-retransmission-caused',
  ],
};
