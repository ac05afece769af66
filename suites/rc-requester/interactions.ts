import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { rnrMicroseconds } from '../../spec/constants.ts';
import type { QpState } from '../../spec/verbs.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { exchange } from './exchange.ts';
import { answeredJobs, dataJobs, everyJob, job, jobs } from './jobs.ts';
import {
  afterTimeout,
  answer,
  answerFrom,
  answerUpTo,
  finish,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  workOf,
  wrPsn,
} from './parts.ts';
import { notReady } from './rnr.ts';
import { detectionUs, patientTimeout, rnrUs, shortRnrCode, timingOf } from './timing.ts';

const to = (state: QpState): Step => ({ do: 'modify_qp', at: 'requester', state });

/** Within this a requester has ended a wait, however long it takes; longer waits count as endless. */
function longestWaitUs(profile: Profile, code: number): number {
  const { virtual, prompt } = timingOf(profile);
  return virtual ? 11 * (rnrMicroseconds[code] ?? 0) + prompt : rnrUs(profile, code);
}

/** The ACK timer begins with what is sent after an RNR wait, as with anything else. */
export const rnrThenSilence: SuiteProperty = {
  id: 'rc-requester/rnr-then-silence',
  suite: 'rc-requester',
  says: 'A request that is sent again after an RNR wait, and then not answered, times out like any other.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        refused: job(profile, dataJobs, { mostMtus: 2 }),
        followers: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        code: shortRnrCode(),
        timeout: patientTimeout(profile),
        losses: fc.integer({ min: 1, max: 2 }),
      },
      jobs: ({ before, refused, followers }) => [...before, refused, ...followers],
      parts: (work, { before, code, timeout, losses }) => {
        const n = before.length;
        return {
          rnrRetry: 7,
          retryCnt: 7,
          timeout,
          steps: [
            ...answerUpTo(work, n),
            ...notReady(profile, work, n, code),
            ...Array.from({ length: losses }, (): Step => ({
              do: 'await',
              packets: requestsFrom(work, n),
              us: detectionUs(profile, timeout),
            })),
            ...answerFrom(work, n),
          ],
        };
      },
    }),
  aims: ['rc-timer-started', 'rc-timeout-overdue', 'rc-rnr-wait-over'],
};

/** A NAK during an RNR wait takes effect, and the wait goes on. */
export const nakInWait: SuiteProperty = {
  id: 'rc-requester/nak-in-rnr-wait',
  suite: 'rc-requester',
  says: 'A NAK that comes during an RNR wait neither ends the wait nor is lost.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        refused: job(profile, dataJobs, { mostMtus: 2 }),
        followers: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        code: shortRnrCode(),
        // at the refused request, or at the one behind it, which then has been carried out
        behind: fc.boolean(),
        times: fc.integer({ min: 1, max: 2 }),
      },
      jobs: ({ before, refused, followers }) => [...before, refused, ...followers],
      parts: (work, { before, code, behind, times }) => {
        const n = before.length;
        const at = behind ? n + 1 : n;
        return {
          rnrRetry: 7,
          retryCnt: 7,
          steps: [
            ...answerUpTo(work, n),
            respond({ kind: 'rnr', timer: code }, wrPsn(n)),
            ...Array.from({ length: times }, () => respond({ kind: 'nak', code: 0 }, wrPsn(at))),
            { do: 'await', packets: requestsFrom(work, at), us: longestWaitUs(profile, code) },
            settle,
            ...answerFrom(work, at),
          ],
        };
      },
    }),
  aims: ['rc-rnr-wait', 'rc-rnr-wait-endless', 'rc-sequence-nak-retransmits'],
};

/** SQD finishes what was begun: what an RNR NAK refused before or in SQD as well. */
export const notReadyInSqd: SuiteProperty = {
  id: 'rc-requester/rnr-in-sqd',
  suite: 'rc-requester',
  says: 'An RNR NAK makes a QP in SQD wait and send again as in RTS, whether it came before or after the call.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 1, { mostMtus: 1 }),
        refused: job(profile, dataJobs, { mostMtus: 2 }),
        held: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        code: shortRnrCode(),
        first: fc.boolean(),
      },
      jobs: ({ before, refused }) => [...before, refused],
      parts: (work, { before, refused, held, code, first }, { mtu }) => {
        const n = before.length;
        const whole = workOf([...before, refused, ...held], mtu);
        const refusal = respond({ kind: 'rnr', timer: code }, wrPsn(n));
        return {
          rnrRetry: 7,
          retryCnt: 7,
          steps: [
            ...answerUpTo(work, n),
            ...(first ? [refusal, to('IBV_QPS_SQD')] : [to('IBV_QPS_SQD'), refusal]),
            ...postAll({ wrs: whole.wrs.slice(work.wrs.length), mtu }),
            { do: 'await', packets: requestsFrom(work, n), us: longestWaitUs(profile, code) },
            settle,
            ...answerFrom(work, n),
            settle,
            to('IBV_QPS_RTS'),
            ...sent(profile, requestsFrom(whole, work.wrs.length)),
            ...answerFrom(whole, work.wrs.length),
          ],
        };
      },
    }),
  aims: ['rc-rnr-wait', 'rc-rnr-wait-over', 'rc-rnr-wait-endless', 'rc-request-drained'],
};

/** A retry while a fenced request waits for the READs that are sent again. */
export const fencedRetry: SuiteProperty = {
  id: 'rc-requester/fence-and-retry',
  suite: 'rc-requester',
  says: 'A fenced work request waits for the READs and ATOMICs in front of it also where these are sent again.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        first: jobs(profile, answeredJobs, 2, { mostMtus: 2 }),
        fenced: job(profile, everyJob, { mostMtus: 1 }),
        last: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 1 }),
        timeout: patientTimeout(profile),
        setback: fc.constantFrom('nak', 'timeout'),
        times: fc.integer({ min: 1, max: 2 }),
      }),
      ({ mtu }, { first, fenced, last, timeout, setback, times }) => {
        const work = workOf([...first, { ...fenced, fence: true }, ...last], mtu);
        const begun = first.length;
        const again: Step[] =
          setback === 'nak'
            ? [respond({ kind: 'nak', code: 0 }, wrPsn(0)), ...sent(profile, begun)]
            : [afterTimeout(profile, timeout, begun)];
        return {
          retryCnt: 7,
          ...(setback === 'timeout' && { timeout }),
          steps: [
            ...postAll(work),
            ...sent(profile, begun),
            ...Array.from({ length: times }, () => again).flat(),
            settle,
            ...first.flatMap((_, n) => answer(work, n)),
            ...sent(profile, requestsFrom(work, begun)),
            ...answerFrom(work, begun),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-request-fenced', 'rc-retransmission-caused'],
};

const again: readonly QpState[] = ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'];

/** A second life of the QP, in which both counters are full. */
export const secondLife: SuiteProperty = {
  id: 'rc-requester/second-life',
  suite: 'rc-requester',
  says: 'A QP that was reset has its retries back, and waits for nothing that was before.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, dataJobs, 2, { mostMtus: 1 }),
        spent: fc.integer({ min: 1, max: 6 }),
        kind: fc.constantFrom('nak', 'rnr'),
        code: shortRnrCode(),
        failed: fc.boolean(),
        anew: jobs(profile, dataJobs, 2, { mostMtus: 1 }),
      },
      jobs: ({ all }) => all,
      parts: (work, { spent, kind, code, failed, anew }, { mtu }) => {
        const next = workOf(anew, mtu);
        const count = Math.min(6, spent);
        const refuse = (which: typeof work): Step[] =>
          kind === 'rnr'
            ? notReady(profile, which, 0, code)
            : [respond({ kind: 'nak', code: 0 }, wrPsn(0)), ...sent(profile, requestsFrom(which))];
        const path = failed ? (['IBV_QPS_ERR', ...again] as const) : again;
        return {
          retryCnt: count,
          rnrRetry: count,
          steps: [
            ...Array.from({ length: count }, () => refuse(work)).flat(),
            ...path.map(to),
            ...postAll(next),
            ...sent(profile, requestsFrom(next)),
            ...Array.from({ length: count }, () => refuse(next)).flat(),
            settle,
            ...answerFrom(next),
          ],
        };
      },
    }),
  aims: ['rc-retry-counted-sequence-nak', 'rc-rnr-retry-counted', 'rc-send-unacknowledged'],
};
