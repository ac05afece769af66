import fc from 'fast-check';
import type { MigState } from '../../spec/verbs.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { everyJob, job, jobs } from '../rc-requester/jobs.ts';
import type { Profile } from '../../adapters/adapter.ts';
import { alternate, withPath, load, over, staying, type Alternate } from './requester.ts';
import {
  afterTimeout,
  answerFrom,
  begun,
  finish,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  workOf,
  wrPsn,
  type Work,
} from '../rc-requester/parts.ts';
import { shortTimeout, timingOf } from '../rc-requester/timing.ts';

/** What software asks for although a device may refuse it, or although nothing comes of it. */
type Odd = 'none' | 'armed-again' | 'migrated-again' | 'back';

function ask(state: MigState): Step {
  return { do: 'modify_qp', at: 'requester', attr: { path_mig_state: state } };
}

export const pathMigrationCalled: SuiteProperty = {
  id: 'rc-requester/path-migration-called',
  suite: 'rc-requester',
  says: 'Packets with MigReq 0 arm a QP and others do not; software takes an armed one to its alternate path.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
        after: jobs(profile, everyJob, 3, { mostMtus: 2 }),
        path: alternate(profile),
        armed: fc.boolean(),
        called: fc.boolean(),
        stays: fc.boolean(),
        asks: fc.boolean(),
        from: alternate(profile),
        odd: fc.constantFrom<Odd>('none', 'armed-again', 'none', 'back', 'migrated-again'),
      }),
      ({ mtu }, { before, after, path, armed, called, stays, asks, from, odd }) => {
        const first = workOf(before, mtu);
        // each packet with MigReq 1 that a QP in REARM took for more would hide the one before
        const more = armed || called ? after : [];
        const whole = workOf([...before, ...more], mtu);
        const n = first.wrs.length;
        const moved = armed && called;
        const answers = over(moved ? path : 'peer', answerFrom(whole, n));
        return {
          steps: [
            ...withPath(profile, path, first, { armed }),
            ...(armed && odd === 'armed-again' ? [ask('IBV_MIG_ARMED')] : []),
            ...(moved ? [ask('IBV_MIG_MIGRATED')] : []),
            ...(moved && odd === 'migrated-again' ? [ask('IBV_MIG_MIGRATED')] : []),
            ...postAll({ wrs: whole.wrs.slice(n), mtu }),
            ...sent(profile, requestsFrom(whole, n)),
            // one that has migrated may hear either; one in REARM waits on, and an armed one stays where it is
            ...(armed && (!called || stays) ? staying(answers) : answers),
            // an old acknowledgement that asks for nothing but the path
            ...(asks && armed && !called
              ? [settle, ...over(from, [respond({ kind: 'ack' }, wrPsn(0))])]
              : []),
            ...finish(profile),
            // the last step: a device that takes it waits for MigReq 0 once more
            ...(armed && odd === 'back' ? [ask('IBV_MIG_REARM'), settle] : []),
          ],
        };
      },
    ),
  aims: [
    'rc-migration-called',
    'rc-migration-call-armed',
    'rc-migration-call-back',
    'rc-migration-call-kept',
    'rc-migration-arms',
    'rc-migration-waits',
    'rc-migration-unasked',
    'rc-migration-refused',
  ],
};

/** NAKs of a peer at the end of a path until no retry is left. */
function spent(profile: Profile, path: Alternate, work: Work, n: number, retryCnt: number): Step[] {
  const nak = staying(over(path, [respond({ kind: 'nak', code: 0 }, wrPsn(n))]));
  return Array.from({ length: retryCnt + 1 }, () => [...nak, ...sent(profile, requestsFrom(work, n))]).flat();
}

export const pathMigrationAgain: SuiteProperty = {
  id: 'rc-requester/path-migration-again',
  suite: 'rc-requester',
  says: 'A QP that has migrated can be given another path, be armed again and migrate again.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: fc.array(job(profile, everyJob, { mostMtus: 1, signaled: true }), {
          minLength: 4,
          maxLength: 4,
        }),
        retryCnt: fc.integer({ min: 0, max: 2 }),
        first: alternate(profile),
        second: alternate(profile),
        timeout: shortTimeout(profile),
        silent: fc.boolean(),
        heard: fc.boolean(),
      }),
      ({ mtu }, { all, retryCnt, first, second, timeout, silent, heard }) => {
        const upTo = (n: number): Work => workOf(all.slice(0, n), mtu);
        const posted = (n: number): Step[] => [
          ...postAll({ wrs: upTo(n + 1).wrs.slice(n), mtu }),
          ...sent(profile, requestsFrom(upTo(n + 1), n)),
        ];
        const answered = (n: number, path: Alternate): Step[] => over(path, answerFrom(upTo(n + 1), n));
        const calm = timingOf(profile).calm;
        return {
          retryCnt,
          steps: [
            load(first, timeout),
            ...posted(0),
            ...staying(answered(0, 'peer')),
            settle,
            ...posted(1),
            ...spent(profile, 'peer', upTo(2), 1, retryCnt),
            ...answered(1, first),
            settle,
            load(second, calm),
            ...posted(2),
            ...staying(answered(2, first)),
            settle,
            ...posted(3),
            ...(silent
              ? Array.from({ length: retryCnt + 1 }, () => afterTimeout(profile, timeout))
              : spent(profile, first, upTo(4), 3, retryCnt)),
            ...(heard ? answered(3, second) : []),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-migrate-when-exhausted', 'rc-migration-arms', 'rc-migration-announced'],
};

export const pathMigrationEarly: SuiteProperty = {
  id: 'rc-requester/path-migration-early',
  suite: 'rc-requester',
  says: 'Software that asks for a path migration state before it has given an alternate path is refused, or has the QP go on as it may.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        work: jobs(profile, everyJob, 3, { mostMtus: 2 }),
        early: fc.constantFrom<MigState>(
          'IBV_MIG_REARM',
          'IBV_MIG_REARM',
          'IBV_MIG_ARMED',
          'IBV_MIG_MIGRATED',
        ),
        path: alternate(profile),
        loaded: fc.boolean(),
        stays: fc.boolean(),
      }),
      ({ mtu }, { work: all, early, path, loaded, stays }) => {
        const work = workOf(all, mtu);
        return {
          steps: [
            ask(early),
            { do: 'query_qp' },
            ...(loaded ? [load(path, timingOf(profile).calm)] : []),
            ...begun(profile, work),
            ...(stays ? staying(answerFrom(work)) : answerFrom(work)),
            ...finish(profile),
            { do: 'query_qp' },
          ],
        };
      },
    ),
  aims: ['rc-mig-req-migrated', 'rc-migration-queried'],
};
