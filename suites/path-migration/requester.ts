import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { ResponsePlan, Step } from '../scenario.ts';
import { everyJob, jobs } from '../rc-requester/jobs.ts';
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
import { exhaustionUs, shortTimeout, timingOf } from '../rc-requester/timing.ts';

/** Where the alternate path leads: to the same addresses, or to those of the other IP version. */
export type Alternate = 'peer' | 'other-ip';

export function alternate(profile: Profile): fc.Arbitrary<Alternate> {
  return profile.ipVersions.length > 1
    ? fc.constantFrom<Alternate>('other-ip', 'peer')
    : fc.constant<Alternate>('peer');
}

/** The steps, their responses changed. */
function changed(steps: readonly Step[], change: Partial<ResponsePlan>): Step[] {
  return steps.map((step) =>
    step.do === 'respond' ? { do: 'respond', packet: { ...step.packet, ...change } } : step,
  );
}

/** Responses with MigReq 0: they arm a QP that waits for it, and ask an armed one for nothing. */
export function staying(steps: readonly Step[]): Step[] {
  return changed(steps, { defect: { kind: 'ignored', field: 'mig-req' } });
}

export function over(path: Alternate, steps: readonly Step[]): Step[] {
  return path === 'other-ip' ? changed(steps, { path }) : [...steps];
}

/** An alternate path is loaded, and the QP set to wait for its peer. */
export function load(path: Alternate, timeout: number): Step {
  return {
    do: 'modify_qp',
    at: 'requester',
    attr: {
      alt_ah_attr: path,
      alt_pkey_index: 0,
      alt_port_num: 1,
      alt_timeout: timeout,
      path_mig_state: 'IBV_MIG_REARM',
    },
  };
}

/** A QP migrates in the middle of its work: the far end asks for it, by what it has acknowledged long ago, or software does. */
export function migrates(path: Alternate, asks: boolean): Step[] {
  if (asks) return over(path, [respond({ kind: 'ack' }, wrPsn(0))]);
  return [
    {
      do: 'modify_qp',
      at: 'requester',
      attr: { path_mig_state: 'IBV_MIG_MIGRATED' },
      midway: true,
    },
  ];
}

/**
 * An alternate path is loaded, and then armed by answers to the first work. `armed`: whether it is; `timeout`: code of its ACK
 * timeout, of one that does not run out by default.
 */
export function withPath(
  profile: Profile,
  path: Alternate,
  first: Work,
  { armed = true, timeout = timingOf(profile).calm } = {},
): Step[] {
  const answers = answerFrom(first);
  return [load(path, timeout), ...begun(profile, first), ...(armed ? staying(answers) : answers), settle];
}

export const pathMigration: SuiteProperty = {
  id: 'rc-requester/path-migration',
  suite: 'rc-requester',
  says: 'With an alternate path armed, spent retries lead there with a full counter; spent once more, the QP fails.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
        all: jobs(profile, everyJob, 3, { mostMtus: 2 }),
        timeout: shortTimeout(profile),
        other: shortTimeout(profile),
        path: alternate(profile),
        armed: fc.constantFrom(true, true, true, false),
        silent: fc.boolean(),
        recovers: fc.boolean(),
      }),
      ({ mtu, retryCnt }, { before, all, timeout, other, path, armed, silent, recovers }) => {
        const first = workOf(before, mtu);
        const work = workOf([...before, ...all], mtu);
        const n = first.wrs.length;
        const packets = requestsFrom(work, n);
        const spent: Step[] = Array.from({ length: retryCnt + 1 }, (): Step[] =>
          silent
            ? [afterTimeout(profile, timeout, packets)]
            : [...staying([respond({ kind: 'nak', code: 0 }, wrPsn(n))]), ...sent(profile, packets)],
        ).flat();
        return {
          timeout,
          steps: [
            ...withPath(profile, path, first, { armed, timeout: other }),
            ...postAll({ wrs: work.wrs.slice(n), mtu }),
            ...sent(profile, packets),
            ...spent,
            ...(recovers
              ? over(armed ? path : 'peer', answerFrom(work, n))
              : finish(profile, exhaustionUs(profile, other, retryCnt))),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: [
    'rc-migrate-when-exhausted',
    'rc-retry-exhausted',
    'rc-migration-arms',
    'rc-mig-req-armed',
    'rc-sound-requester-keeps-state',
    'rc-request-addressee',
    'rc-retry-counted-timeout',
    'rc-timeout-overdue',
    'rc-migration-over',
  ],
};

export const pathMigrationAsked: SuiteProperty = {
  id: 'rc-requester/path-migration-asked',
  suite: 'rc-requester',
  says: 'A response with MigReq 1 takes an armed QP to its alternate path if it came over that, and is refused otherwise.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
        asking: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        after: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        path: alternate(profile),
        from: alternate(profile),
        armed: fc.constantFrom(true, true, true, false),
      }),
      ({ mtu }, { before, asking, after, path, from, armed }) => {
        const first = workOf(before, mtu);
        const work = workOf([...before, ...asking], mtu);
        const whole = workOf([...before, ...asking, ...after], mtu);
        const n = first.wrs.length;
        const m = work.wrs.length;
        const moved = armed && path === from;
        return {
          steps: [
            ...withPath(profile, path, first, { armed }),
            ...postAll({ wrs: work.wrs.slice(n), mtu }),
            ...sent(profile, requestsFrom(work, n)),
            ...over(from, answerFrom(work, n)),
            settle,
            // where it did not follow the path, the same by the old one
            ...staying(over(moved ? path : 'peer', answerFrom(work, n))),
            settle,
            ...postAll({ wrs: whole.wrs.slice(m), mtu }),
            ...sent(profile, requestsFrom(whole, m)),
            ...(moved ? over(path, answerFrom(whole, m)) : staying(answerFrom(whole, m))),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: [
    'rc-migration-followed',
    'rc-migration-refused',
    'rc-migration-arms',
    'rc-migration-waits',
    'rc-migration-announced',
    'rc-migration-refusal-announced',
    'rc-migration-foreign',
    'rc-response-path-refused',
    'rc-response-foreign-source',
  ],
};
