import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { answeredJobs, everyJob, job, jobs, packetsOf, wrOf, type Job } from '../rc-requester/jobs.ts';
import { evenly } from '../rc-requester/timing.ts';
import type { Reply, ResponsePsn, Step, WrPlan } from '../scenario.ts';
import { limitsOf, scenarios } from './parts.ts';
import { posts, receives, reorder, reorderAnswers } from './requester.ts';

const common = { suite: 'ooo', requires: ['ooo'] } as const;
const ms = 1000;

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
        return { steps: worked(wrs), faults };
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
        const wrs = [...front, bad, ...behind].map((j) => wrOf(j, mtu));
        return {
          steps: worked(wrs.map((wr, i) => ({ ...wr, ...(i === front.length && badRkey) }))),
          faults: answers,
        };
      },
    ),
  aims: ['ooo-failed-unprompted', 'ooo-failed-access', 'ooo-memory-unfinished'],
};

function worked(wrs: readonly WrPlan[]): Step[] {
  return [...receives(wrs), ...posts(wrs), { do: 'finish', us: 30 * ms }, settle];
}

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

/** The peer tells the `at`-th of the packets that have come, or later ones, all this. */
function toldOff(
  profile: Profile,
  wrs: readonly WrPlan[],
  mtu: number,
  at: number,
  all: readonly Told[],
): Step[] {
  const sent = wrs.reduce((n, wr) => n + packetsOf(wr, mtu), 0);
  const packets = Math.min(sent, limitsOf(profile).cap);
  let next = at % packets;
  const steps = all.flatMap(({ reply, us, moves }): Step[] => {
    const psn: ResponsePsn = { from: 'start', offset: next };
    if (moves) next = Math.min(next + 1, packets - 1);
    return [{ do: 'respond', packet: { reply, psn } }, ...(us === 0 ? [] : [{ do: 'sleep' as const, us }])];
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
      ({ mtu }, { all, at, before, said }) => ({
        scripted: true,
        steps: toldOff(
          profile,
          all.map((j) => wrOf(j, mtu)),
          mtu,
          at,
          [...before, ...said],
        ),
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
      ({ mtu }, { all, at, said, rnrRetry, retryCnt }) => ({
        scripted: true,
        retryCnt,
        rnrRetry,
        steps: toldOff(
          profile,
          all.map((j) => wrOf(j, mtu)),
          mtu,
          at,
          said,
        ),
      }),
    ),
  aims: ['ooo-failed-rnr-retries', 'ooo-resent-not-ready'],
};
