import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { gatherFault } from '../arbitraries/local-faults.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { answeredJobs, everyJob, job, jobs, packetsOf, wrOf, type Job } from '../rc-requester/jobs.ts';
import { evenly } from '../rc-requester/timing.ts';
import type { Reply, ResponsePsn, Step } from '../scenario.ts';
import { common, limitsOf, ms, pause, scenarios } from './parts.ts';
import { finished, posts, reorder, reorderAnswers } from './requester.ts';

const badRkey = { badRkey: true } as const;

export const refused: SuiteProperty = {
  ...common,
  id: 'ooo/requester-refused',
  says: 'A request with a bad key fails when all before it are complete, however the packets come.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: jobs(profile, everyJob, 4),
        at: fc.nat(3),
        faults: fc.array(reorder(), { maxLength: 3, size: 'max' }),
      }),
      ({ mtu }, { all, at, faults }) => {
        const wrs = all.map((j, i) => ({ ...wrOf(j, mtu), ...(i === at % all.length && badRkey) }));
        return { steps: finished(wrs, 30 * ms), faults };
      },
    ),
  aims: ['ooo-failed-access'],
};

export const refusedBehind: SuiteProperty = {
  ...common,
  id: 'ooo/requester-refused-behind',
  says: 'A request with a bad key fails behind READs and ATOMICs whose answers are late or lost, when these are there.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        front: jobs(profile, answeredJobs, 2, { mostMtus: 2 }),
        bad: job(profile, ['write', 'read', 'fetch-add'], { mostMtus: 1 }),
        behind: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 1 }),
        answers: fc.array(reorderAnswers(2), { minLength: 1, maxLength: 3, size: 'max' }),
      }),
      ({ mtu }, { front, bad, behind, answers }) => {
        const wrs = [...front, bad, ...behind].map((j) => ({ ...wrOf(j, mtu), ...(j === bad && badRkey) }));
        return {
          steps: finished(wrs, 30 * ms),
          faults: answers,
        };
      },
    ),
  aims: ['ooo-failed-unprompted', 'ooo-failed-access', 'ooo-memory-unfinished'],
};

export const localFault: SuiteProperty = {
  ...common,
  id: 'ooo/requester-local-fault',
  says: 'A work request with memory that it may not use fails when all before it are complete, however the packets come.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        front: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        bad: fc.oneof(job(profile, answeredJobs, { mostMtus: 1 }), job(profile, everyJob, { mostMtus: 2 })),
        fault: gatherFault(),
        behind: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        faults: fc.array(fc.oneof(reorder(), reorderAnswers()), { minLength: 1, maxLength: 3, size: 'max' }),
      }),
      ({ mtu }, { front, bad, fault, behind, faults }) => {
        const plans = [...front, { ...bad, inline: false }, ...behind].map((j) => wrOf(j, mtu));
        const wrs = plans.map((wr, n) => (n === front.length ? { ...wr, localFault: fault } : wr));
        return { steps: finished(wrs, 30 * ms), faults };
      },
    ),
  aims: ['ooo-failed-unprompted', 'send-sound'],
};

interface Told {
  reply: Reply;
  /** what the peer lets pass afterwards */
  us: number;
  /** whether the next one names the next packet */
  moves: boolean;
}

function toldTimes(reply: fc.Arbitrary<Reply>, most: number): fc.Arbitrary<Told[]> {
  const one = fc.record({
    reply,
    us: fc.constantFrom(200, 0, 60, 400),
    moves: fc.constantFrom(false, false, false, true),
  });
  return fc.array(one, { minLength: 1, maxLength: most, size: 'max' });
}

/** Work, and the packet of it that the peer speaks of first. */
interface Aimed {
  all: readonly Job[];
  at: number;
}

/** The peer tells the `at`-th of the packets that have come, or later ones, what is `said`. */
function toldOff(profile: Profile, mtu: number, { all, at }: Aimed, said: readonly Told[]): Step[] {
  const wrs = all.map((j) => wrOf(j, mtu));
  const sent = wrs.reduce((n, wr) => n + packetsOf(wr, mtu), 0);
  const packets = Math.min(sent, limitsOf(profile).cap);
  let next = at % packets;
  const steps = said.flatMap(({ reply, us, moves }): Step[] => {
    const psn: ResponsePsn = { from: 'start', offset: next };
    if (moves) next = Math.min(next + 1, packets - 1);
    return [{ do: 'respond', packet: { reply, psn } }, ...pause(us)];
  });
  return [...posts(wrs), { do: 'await', packets, us: 50 }, ...steps, settle];
}

/** Works that ask for no more than an Acknowledge. */
function dataWork(profile: Profile): fc.Arbitrary<Job[]> {
  return jobs(profile, ['send', 'write', 'write-imm'], 4, { mostMtus: 2 });
}

/** An RNR NAK of at most 160 us. */
const notReady = fc.integer({ min: 1, max: 8 }).map((timer): Reply => ({ kind: 'rnr', timer }));
const fatal = evenly(1, 3).map((code): Reply => ({ kind: 'nak', code }));

export const nak: SuiteProperty = {
  ...common,
  id: 'ooo/requester-nak',
  says: 'A NAK fails its request at once; what is in front completes.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: dataWork(profile),
        at: fc.nat(8),
        before: fc.oneof({ weight: 3, arbitrary: fc.constant<Told[]>([]) }, toldTimes(notReady, 2)),
        said: toldTimes(fatal, 2),
      }),
      ({ mtu }, { before, said, ...aimed }) => ({
        scripted: true,
        steps: toldOff(profile, mtu, aimed, [...before, ...said]),
      }),
    ),
  aims: ['ooo-failed-invalid-request', 'ooo-failed-access', 'ooo-failed-operation'],
};

export const rnrNaks: SuiteProperty = {
  ...common,
  id: 'ooo/requester-rnr-naks',
  says: 'An RNR NAK has packets sent again after its time, and fails its request when rnr_retry have come before.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: dataWork(profile),
        at: fc.nat(8),
        said: toldTimes(notReady, 6),
        rnrRetry: fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, fc.constantFrom(7, 6)),
        retryCnt: fc.constantFrom(7, 3, 1),
      }),
      ({ mtu }, { said, rnrRetry, retryCnt, ...aimed }) => ({
        scripted: true,
        retryCnt,
        rnrRetry,
        steps: toldOff(profile, mtu, aimed, said),
      }),
    ),
  aims: ['ooo-failed-rnr-retries', 'ooo-resent-not-ready', 'ooo-resent-too-soon'],
};
