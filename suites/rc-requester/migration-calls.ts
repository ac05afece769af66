import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import { everyJob, jobs, wrOf } from './jobs.ts';
import { alternate, load, over, staying } from './migration.ts';
import {
  answerFrom,
  finish,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  settle,
  wrPsn,
} from './parts.ts';
import { firstSent } from './rnr.ts';
import { timingOf } from './timing.ts';

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
      }),
      ({ mtu }, { before, after, path, armed, called, stays, asks, from }) => {
        const first = { wrs: before.map((j) => wrOf(j, mtu)), mtu };
        // each packet with MigReq 1 that a QP in REARM took for more would hide the one before
        const more = armed || called ? after : [];
        const whole = { wrs: [...first.wrs, ...more.map((j) => wrOf(j, mtu))], mtu };
        const n = first.wrs.length;
        const moved = armed && called;
        const answers = over(moved ? path : 'peer', answerFrom(whole, n));
        return {
          steps: [
            load(path, timingOf(profile).calm),
            ...postAll(first),
            ...firstSent(profile, first),
            ...(armed ? staying(answerFrom(first)) : answerFrom(first)),
            settle,
            ...(moved
              ? [
                  {
                    do: 'modify_qp' as const,
                    at: 'requester' as const,
                    attr: { path_mig_state: 'IBV_MIG_MIGRATED' as const },
                  },
                ]
              : []),
            ...postAll({ wrs: whole.wrs.slice(n), mtu }),
            ...sent(profile, requestsFrom(whole, n)),
            // one that has migrated may hear either; one in REARM waits on, and an armed one stays where it is
            ...(armed && (!called || stays) ? staying(answers) : answers),
            // an old acknowledgement that asks for nothing but the path
            ...(asks && armed && !called
              ? [settle, ...over(from, [respond({ kind: 'ack' }, wrPsn(0))])]
              : []),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: [
    'rc-migration-called',
    'rc-migration-arms',
    'rc-migration-waits',
    'rc-migration-unasked',
    'rc-migration-refused',
  ],
};
