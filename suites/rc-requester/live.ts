import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fault } from '../arbitraries/faults.ts';
import { recv } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Fault, Step, WrPlan } from '../scenario.ts';
import { everyJob, job, jobs, wrOf, type Job } from './jobs.ts';
import { finish, mostReads, postAll, scenarios, type Parts } from './parts.ts';
import { detectionUs, exhaustionUs, rnrUs, shortRnrCode, shortTimeout, timingOf } from './timing.ts';

/** Receive WQEs that the peer needs for some work. */
export function receivesFor(wrs: readonly WrPlan[]): Step[] {
  return wrs
    .filter(({ opcode }) => opcode.includes('SEND') || opcode.endsWith('_IMM'))
    .map((wr) => recv(wr.opcode.includes('SEND') ? wr.length : 0));
}

interface Traffic {
  all: Job[];
  depth: number;
  timeout: number;
  faults: Fault[];
}

function traffic(profile: Profile, faults: fc.Arbitrary<Fault[]>): fc.Arbitrary<Traffic> {
  return fc.record({
    all: jobs(profile, everyJob, 6),
    depth: fc.oneof(
      { withCrossShrink: true },
      fc.constantFrom(mostReads(profile), 1),
      fc.integer({ min: 1, max: mostReads(profile) }),
    ),
    timeout: liveTimeout(profile),
    faults,
  });
}

/** Codes long enough for a live peer to answer in time, short enough to be sat out. */
function liveTimeout(profile: Profile): fc.Arbitrary<number> {
  return timingOf(profile).virtual ? fc.constantFrom(10, 14, 8) : shortTimeout(profile);
}

function play(profile: Profile, { all, depth, timeout, faults }: Traffic, mtu: number): Parts {
  const wrs = all.map((j) => wrOf(j, mtu));
  return {
    live: true,
    timeout,
    retryCnt: 7,
    rnrRetry: 7,
    maxRdAtomic: depth,
    steps: [
      ...receivesFor(wrs),
      ...postAll({ wrs, mtu }),
      ...finish(profile, faults.length * 2 * detectionUs(profile, timeout)),
    ],
    faults,
  };
}

export const live: SuiteProperty = {
  id: 'rc-requester/live-peer',
  suite: 'rc-requester',
  says: 'With a conformant responder at the other end and a wire without faults, every work request succeeds without a retry.',
  arbitrary: (profile) =>
    scenarios(profile, traffic(profile, fc.constant([])), ({ mtu }, drawn) =>
      play(profile, { ...drawn, timeout: timingOf(profile).calm }, mtu),
    ),
  aims: ['rc-send-completes', 'rc-sound-requester-keeps-state'],
};

export const liveFaults: SuiteProperty = {
  id: 'rc-requester/live-peer-faults',
  suite: 'rc-requester',
  says: 'With packets lost, doubled, late, out of order or damaged on the way, every work request still completes.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      traffic(profile, fc.array(fault({ drops: 3, damage: true }), { minLength: 1, maxLength: 4 })),
      ({ mtu }, drawn) => play(profile, drawn, mtu),
    ),
  aims: ['rc-sound-requester-keeps-state', 'rc-retransmission-caused', 'rc-repeat-same', 'rc-send-completes'],
};

export const liveNotReady: SuiteProperty = {
  id: 'rc-requester/live-peer-not-ready',
  suite: 'rc-requester',
  says: 'Where the responder posts its receive WQEs late, requests that need one get an RNR NAK and then go through.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: jobs(profile, everyJob, 5),
        code: shortRnrCode(),
        early: fc.nat(2),
        times: fc.integer({ min: 1, max: 3 }),
        enough: fc.boolean(),
        post: fc.boolean(),
      }),
      ({ mtu, rnrRetry }, { all, code, early, times, enough, post }) => {
        const wrs = all.map((j) => wrOf(j, mtu));
        const needed = receivesFor(wrs);
        const us = rnrUs(profile, code);
        const late = needed
          .slice(early)
          .flatMap((step): Step[] => [
            { do: 'sleep', us: times * (timingOf(profile).virtual ? us : 20_000) },
            step,
          ]);
        return {
          live: true,
          minRnrTimer: code,
          // without end only where the receive WQEs do come
          rnrRetry: enough && post ? 7 : Math.min(6, rnrRetry),
          steps: [
            ...needed.slice(0, early),
            ...postAll({ wrs, mtu }),
            ...(post ? late : []),
            ...finish(profile, 8 * us),
          ],
        };
      },
    ),
  aims: ['rc-rnr-nak-retransmits', 'rc-rnr-wait'],
};

export const liveRefused: SuiteProperty = {
  id: 'rc-requester/live-peer-refuses',
  suite: 'rc-requester',
  says: 'A request with a bad key fails with a remote access error; a peer in ERR is silent, and the retries run out.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(job(profile, everyJob, { mostMtus: 2 }), { maxLength: 2 }),
        refused: job(profile, ['write', 'read', 'fetch-add', 'cmp-swap', 'write-imm'], { mostMtus: 2 }),
        behind: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        how: fc.constantFrom('rkey', 'beyond', 'dead', 'depth'),
        timeout: shortTimeout(profile),
      }),
      ({ mtu, retryCnt }, { before, refused, behind, how, timeout }) => {
        const plans = [...before, refused, ...behind].map((j) => wrOf(j, mtu));
        const wrs = plans.map((wr, n): WrPlan => {
          if (n !== before.length || how === 'dead' || how === 'depth') return wr;
          return how === 'rkey' ? { ...wr, badRkey: true } : { ...wr, offset: wr.offset + 8 * mtu };
        });
        const dead: Step[] =
          how === 'dead' ? [{ do: 'modify_qp', at: 'responder', state: 'IBV_QPS_ERR' }] : [];
        const cut = how === 'dead' ? before.length : wrs.length;
        return {
          live: true,
          // a responder that takes fewer READs than the requester was configured for: overrun by misconfiguration
          ...(how === 'depth' && { maxRdAtomic: mostReads(profile), maxDestRdAtomic: 1 }),
          timeout: how === 'dead' ? timeout : timingOf(profile).calm,
          steps: [
            ...receivesFor(wrs),
            ...postAll({ wrs: wrs.slice(0, cut), mtu }),
            ...finish(profile),
            ...dead,
            ...postAll({ wrs: wrs.slice(cut), mtu }),
            ...finish(profile, how === 'dead' ? exhaustionUs(profile, timeout, retryCnt) : 0),
          ],
        };
      },
    ),
  aims: ['rc-nak-access-error-fails', 'rc-nak-invalid-request-fails', 'rc-retry-exhausted'],
};
