import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Reply, ResponsePsn, Step } from '../scenario.ts';
import { everyJob, job, jobs, packetsOf } from './jobs.ts';
import { exchange } from './exchange.ts';
import {
  afterTimeout,
  answer,
  answerFrom,
  answerUpTo,
  finish,
  postAll,
  requestsFrom,
  respond,
  retryCounts,
  scenarios,
  sent,
  workOf,
  wrPsn,
} from './parts.ts';
import { headerDefect } from './defects.ts';
import { strayResponse } from './stray.ts';
import { ackTimeoutUs, detectionUs, exhaustionUs, shortTimeout, timeouts, timingOf } from './timing.ts';

export const timeoutRecovery: SuiteProperty = {
  id: 'rc-requester/timeout-recovery',
  suite: 'rc-requester',
  says: 'What is not answered in time is sent again, neither before T nor after 4T, until an answer comes.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 4),
        timeout: shortTimeout(profile),
        losses: fc.integer({ min: 1, max: timingOf(profile).virtual ? 7 : 3 }),
        // what is answered before the silence: all but the last is tail loss
        answered: fc.constantFrom(0, 1, -1),
      },
      jobs: ({ all }) => all,
      parts: (work, { all, timeout, losses, answered }, { retryCnt }) => {
        const count = Math.min(losses, Math.max(1, retryCnt));
        const n = answered < 0 ? all.length - 1 : Math.min(answered, all.length - 1);
        return {
          timeout,
          retryCnt: Math.max(1, retryCnt),
          steps: [
            ...answerUpTo(work, n),
            ...Array.from({ length: count }, (): Step => ({
              do: 'await',
              packets: requestsFrom(work, n),
              us: detectionUs(profile, timeout),
            })),
            ...answerFrom(work, n),
          ],
        };
      },
    }),
  grids: [timeouts],
  aims: [
    'rc-timeout-early',
    'rc-timeout-window',
    'rc-timeout-overdue',
    'rc-retry-counted-timeout',
    'rc-timer-started',
  ],
};

export const timeoutExhaustion: SuiteProperty = {
  id: 'rc-requester/timeout-exhaustion',
  suite: 'rc-requester',
  says: 'Towards a silent peer every request goes out retry_cnt + 1 times; then the oldest fails and the rest is flushed.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 4),
        timeout: shortTimeout(profile),
        answered: fc.boolean(),
        after: fc.array(job(profile, everyJob), { maxLength: 2 }),
      },
      jobs: ({ all }) => all,
      parts: (work, { all, timeout, answered, after }, { mtu, retryCnt }) => {
        const n = answered && all.length > 1 ? 1 : 0;
        return {
          timeout,
          steps: [
            ...answerUpTo(work, n),
            ...finish(profile, exhaustionUs(profile, timeout, retryCnt)),
            ...postAll(workOf(after, mtu)),
            // too late
            ...answerFrom(work, n),
          ],
        };
      },
    }),
  grids: [timeouts, retryCounts],
  aims: [
    'rc-retry-exhausted',
    'rc-send-failed',
    'rc-send-flushed',
    'rc-request-unposted',
    'rc-failed-requester-in-error',
  ],
};

export const timeoutUndisturbed: SuiteProperty = {
  id: 'rc-requester/timeout-undisturbed',
  suite: 'rc-requester',
  says: 'Responses that are old, premature or damaged do not put off the time-out.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 3),
        timeout: shortTimeout(profile),
        every: fc.constantFrom(0.3, 0.5, 0.9),
        // one kind alone, most often: another that a device obeys as it may would hide that it obeys this one
        noise: fc.oneof(
          ...[
            strayResponse('premature'),
            strayResponse(),
            strayResponse('old'),
            headerDefect().map((defect) => respond({ kind: 'ack' }, { from: 'newest', offset: 0 }, defect)),
          ].map((one) => fc.array(one, { minLength: 4, maxLength: 12, size: 'max' })),
        ),
        answered: fc.boolean(),
      },
      jobs: ({ all }) => all,
      parts: (work, { timeout, every, noise, answered }) => {
        const n = answered ? 1 : 0;
        const us = Math.max(1, Math.floor(every * ackTimeoutUs(profile, timeout)));
        return {
          timeout,
          retryCnt: 7,
          steps: [
            ...answerUpTo(work, n),
            ...noise.flatMap((step): Step[] => [{ do: 'sleep', us }, step]),
            // what should have come by now is not looked for once the answers are there
            settle,
            ...answerFrom(work, n),
          ],
        };
      },
    }),
  aims: ['rc-timeout-overdue', 'rc-response-ghost', 'rc-response-duplicate'],
};

export const timeoutProgress: SuiteProperty = {
  id: 'rc-requester/timeout-progress',
  suite: 'rc-requester',
  says: 'Each valid response starts the time anew: while they keep coming, nothing is sent again.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 5),
        timeout: shortTimeout(profile),
        every: fc.constantFrom(0.5, 0.8, 0.95),
        lost: fc.boolean(),
      },
      jobs: ({ all }) => all,
      parts: (work, { timeout, every, lost }) => {
        const us = Math.max(1, Math.floor(every * ackTimeoutUs(profile, timeout)));
        const answers = answerFrom(work);
        const given = lost ? answers.slice(0, -1) : answers;
        return {
          timeout,
          retryCnt: 7,
          steps: [
            ...given.flatMap((step): Step[] => [{ do: 'sleep', us }, step]),
            ...(lost ? [afterTimeout(profile, timeout), ...answers.slice(-1)] : []),
          ],
        };
      },
    }),
  aims: [
    'rc-timeout-early',
    'rc-timer-restarted',
    'rc-timeout-nothing-outstanding',
    'rc-progress-within-request',
  ],
};

export const timeoutWhilePosting: SuiteProperty = {
  id: 'rc-requester/timeout-while-posting',
  suite: 'rc-requester',
  says: 'Requests that follow an unanswered one may start its time anew, but once they cease it runs out.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: jobs(profile, everyJob, 5),
        timeout: shortTimeout(profile),
        every: fc.constantFrom(0.5, 0.8, 0.95),
        answered: fc.boolean(),
      }),
      ({ mtu }, { all, timeout, every, answered }) => {
        const work = workOf(all, mtu);
        const us = Math.max(1, Math.floor(every * ackTimeoutUs(profile, timeout)));
        const some = answered && all.length > 1 ? answer(work, 0) : [];
        return {
          timeout,
          retryCnt: 7,
          steps: [
            ...work.wrs.flatMap((wr, n): Step[] => [
              ...(n === 0 ? [] : [{ do: 'sleep' as const, us }]),
              ...postAll({ wrs: [wr], mtu }),
              ...sent(profile, packetsOf(wr, mtu)),
              ...(n === 1 ? some : []),
            ]),
            afterTimeout(profile, timeout),
            ...answerFrom(work),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-timer-restarted', 'rc-timeout-early', 'rc-timeout-overdue', 'rc-timer-not-started'],
};

export const timeoutZero: SuiteProperty = {
  id: 'rc-requester/timeout-zero',
  suite: 'rc-requester',
  says: 'With timeout 0 nothing is sent again however long the silence, until a later request draws a NAK.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 3),
        later: job(profile, everyJob),
        silence: fc.constantFrom(...(timingOf(profile).virtual ? [1e4, 1e6, 1e9] : [1e5, 1e6])),
        nak: fc.constantFrom('first', 'later', 'none'),
        repeat: fc.integer({ min: 1, max: 3 }),
      },
      jobs: ({ all }) => all,
      parts: (_, { all, later, silence, nak, repeat }, { mtu }) => {
        const work = workOf([...all, later], mtu);
        const at = nak === 'first' ? 0 : all.length;
        const naks =
          nak === 'none'
            ? []
            : Array.from({ length: repeat }, () => [
                respond({ kind: 'nak', code: 0 }, wrPsn(at)),
                ...sent(profile, requestsFrom(work, at)),
              ]).flat();
        return {
          timeout: 0,
          retryCnt: 7,
          steps: [
            { do: 'sleep', us: silence },
            settle,
            ...postAll({ wrs: work.wrs.slice(-1), mtu }),
            ...sent(profile, requestsFrom(work, all.length)),
            ...naks,
            ...answerFrom(work),
          ],
        };
      },
    }),
  aims: ['rc-timer-off', 'rc-timeout-disabled', 'rc-retransmission-uncaused'],
};

export const timeoutLone: SuiteProperty = {
  id: 'rc-requester/timeout-lone-request',
  suite: 'rc-requester',
  says: 'A lone READ or ATOMIC is timed like any other request, from its sending and from each of its responses on.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        one: job(profile, ['read', 'fetch-add', 'cmp-swap'], { mostMtus: 4 }),
        timeout: shortTimeout(profile),
        given: fc.nat(3),
        again: fc.boolean(),
      },
      jobs: ({ one }) => [one],
      parts: (work, { timeout, given, again }) => {
        const whole = answer(work, 0);
        const some = Math.min(given, whole.length - 1);
        const old: { reply: Reply; psn: ResponsePsn } = {
          reply: { kind: 'read' },
          psn: { from: 'oldest', offset: -1 },
        };
        return {
          timeout,
          retryCnt: 7,
          steps: [
            ...whole.slice(0, some),
            ...(again && some > 0 ? [respond(old.reply, old.psn)] : []),
            afterTimeout(profile, timeout),
            ...whole.slice(some),
          ],
        };
      },
    }),
  aims: ['rc-timer-started', 'rc-timeout-early', 'rc-timeout-overdue', 'rc-progress-within-request'],
};
