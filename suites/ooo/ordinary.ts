import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { SuiteProperty } from '../property.ts';
import { settle } from '../arbitraries/packets.ts';
import { everyJob, jobs, wrOf, type Job } from '../rc-requester/jobs.ts';
import { detectionUs, evenly, timingOf } from '../rc-requester/timing.ts';
import type { Fault } from '../scenario.ts';
import { posts, receives } from './requester.ts';
import { scenarios } from './parts.ts';

/** Faults that leave nothing but loss, duplicates and another order, of first transmissions only. */
function shuffle(direction: Fault['direction']): fc.Arbitrary<Fault> {
  const action = fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .integer({ min: 1, max: 6 })
        .map((packets): Fault['action'] => ({ kind: 'hold', packets })),
    },
    fc.constant<Fault['action']>({ kind: 'duplicate', copies: 1 }),
    fc.constant<Fault['action']>({ kind: 'drop' }),
  );
  return fc.record({
    direction: fc.constant(direction),
    match: fc.record({ psnOffset: fc.nat(10), transmission: fc.constant(0) }),
    action,
  });
}

interface Shuffled {
  all: Job[];
  timeout: number;
  faults: Fault[];
}

function shuffled(profile: Profile): fc.Arbitrary<Shuffled> {
  return fc.record({
    all: jobs(profile, everyJob, 5),
    timeout: liveTimeout(profile),
    faults: fc.array(fc.oneof({ weight: 3, arbitrary: shuffle('to-responder') }, shuffle('to-requester')), {
      minLength: 1,
      maxLength: 4,
      size: 'max',
    }),
  });
}

/** Codes of the timeout that a loss at the end of all is found by. */
function liveTimeout(profile: Profile): fc.Arbitrary<number> {
  if (timingOf(profile).virtual) return evenly(8, 18);
  return fc.constant(Math.max(15, profile.minTimeout ?? 1));
}

export const inOrderResponder: SuiteProperty = {
  id: 'ooo/in-order-responder',
  suite: 'ooo',
  says: 'An RC QP takes nothing out of order, has the requester go back, and ends with the memory and completions of the order that was sent.',
  arbitrary: (profile) =>
    scenarios(profile, 'responder', shuffled(profile), ({ mtu }, { all, timeout, faults }) => {
      const wrs = all.map((j) => ({ ...wrOf(j, mtu), signaled: true }));
      return {
        ordinary: true,
        timeout,
        steps: [...receives(wrs), ...posts(wrs), settle],
        faults,
      };
    }),
  aims: ['rc-request-ahead', 'rc-request-ahead-after-sequence-nak'],
};

export const inOrderRequester: SuiteProperty = {
  id: 'ooo/in-order-requester',
  suite: 'ooo',
  says: 'An RC QP goes back to what the responder misses, and completes everything in order.',
  arbitrary: (profile) =>
    scenarios(profile, 'requester', shuffled(profile), ({ mtu }, { all, timeout, faults }) => {
      const wrs = all.map((j) => wrOf(j, mtu));
      const us = timingOf(profile).prompt + faults.length * 2 * detectionUs(profile, timeout);
      return {
        ordinary: true,
        timeout,
        steps: [...receives(wrs), ...posts(wrs), { do: 'finish', us: Math.ceil(us) }, settle],
        faults,
      };
    }),
  aims: ['rc-retransmission-caused', 'rc-send-completes'],
};
