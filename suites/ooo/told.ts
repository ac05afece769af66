import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { everyJob, jobs, packetsOf, wrOf } from '../rc-requester/jobs.ts';
import type { ResponsePsn, Step } from '../scenario.ts';
import { common, limitsOf, ms, pause, scenarios } from './parts.ts';
import { posts, receives, reorder } from './requester.ts';

interface Answer {
  /** packets acknowledged for good, as a share of those sent */
  upTo: number;
  selective: number | undefined;
  us: number;
}

export const told: SuiteProperty = {
  ...common,
  id: 'ooo/requester-told',
  says: 'Packets in front of one that was acknowledged selectively are sent again, the others are not; the timer looks after the rest.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: jobs(profile, ['send', 'write', 'write-imm'], 4, { mostMtus: 4 }),
        answers: fc.array(
          fc.record<Answer>({
            // most messages are short
            upTo: fc.oneof(fc.integer({ min: -1, max: 2 }), fc.integer({ min: -1, max: 12 })),
            selective: fc.option(fc.oneof(fc.nat(2), fc.nat(12)), { nil: undefined }),
            us: fc.constantFrom(0, 10, 50, 150, 400),
          }),
          { maxLength: 6, size: 'max' },
        ),
        // Only whether it is 0 matters.
        timeout: fc.constantFrom(14, 1, 0, 18, 31),
        retryCnt: fc.nat(4),
        last: fc.constantFrom(0, 200, 2000, 6000),
      }),
      ({ mtu }, { all, answers, timeout, retryCnt, last }) => {
        const wrs = all.map((j) => wrOf(j, mtu));
        const sent = wrs.reduce((n, wr) => n + packetsOf(wr, mtu), 0);
        return {
          scripted: true,
          timeout,
          retryCnt,
          steps: [
            ...posts(wrs),
            { do: 'await', packets: Math.min(sent, limitsOf(profile).cap), us: 50 },
            ...answers.flatMap((answer): Step[] => told1(answer, sent)),
            ...pause(last),
            settle,
          ],
        };
      },
    ),
  aims: [
    'ooo-resent-unprompted',
    'ooo-resent-settled',
    'ooo-resend-owed',
    'ooo-send-owed',
    'ooo-timer-low-early',
    'ooo-timer-high-early',
    'ooo-timer-low-overdue',
    'ooo-timer-high-overdue',
    'ooo-timer-disabled',
    'ooo-not-retired',
    'ooo-resent-spent',
    'ooo-failed-retries',
    'ooo-failed-unprompted',
  ],
};

function told1({ upTo, selective, us }: Answer, sent: number): Step[] {
  const cumulative = Math.min(upTo, sent - 1);
  const psn: ResponsePsn = { from: 'start', offset: cumulative };
  // Only what lies beyond the gap can be acknowledged selectively.
  const beyond = selective === undefined ? undefined : cumulative + 2 + selective;
  const named: ResponsePsn | undefined =
    beyond === undefined || beyond >= sent ? undefined : { from: 'start', offset: beyond };
  return [
    {
      do: 'respond',
      packet: { reply: { kind: 'ack' }, psn, ...(named !== undefined && { selective: named }) },
    },
    ...pause(us),
  ];
}

export const notReady: SuiteProperty = {
  ...common,
  id: 'ooo/requester-not-ready',
  says: 'Where receive WQEs are posted late, requests that need one get an RNR NAK and then go through.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: jobs(profile, everyJob, 4),
        early: fc.nat(2),
        code: fc.integer({ min: 1, max: 10 }),
        rnrRetry: fc.oneof(fc.constant(7), fc.nat(3), fc.nat(6)),
        faults: fc.array(reorder(), { maxLength: 2, size: 'max' }),
      }),
      ({ mtu }, { all, early, code, rnrRetry, faults }) => {
        const wrs = all.map((j) => wrOf(j, mtu));
        const needed = receives(wrs);
        return {
          minRnrTimer: code,
          rnrRetry,
          steps: [
            ...needed.slice(0, early),
            ...posts(wrs),
            ...needed.slice(early).flatMap((step): Step[] => [{ do: 'sleep', us: 300 }, step]),
            { do: 'finish', us: 40 * ms },
            settle,
          ],
          faults,
        };
      },
    ),
  aims: ['ooo-resent-not-ready', 'ooo-failed-rnr-retries'],
};
