import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { alternate, load, over, staying } from '../../path-migration/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { everyJob, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, begun, finish, respond, scenarios, workOf, wrPsn } from '../../rc-requester/parts.ts';
import { shortTimeout } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';

const query: Step = { do: 'query_qp' };

export const migrationQueried: SuiteProperty = {
  id: 'rc-requester/path-migration-queried',
  suite: 'rc-requester',
  says: 'The call gives the path in use and the alternate one, in each state of path migration.',
  requires: ['apm'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
        other: shortTimeout(profile),
        path: alternate(profile),
        called: fc.boolean(),
        again: fc.boolean(),
      }),
      ({ mtu }, { before, other, path, called, again }) => {
        const first = workOf(before, mtu);
        const migrated: Step = {
          do: 'modify_qp',
          at: 'requester',
          attr: { path_mig_state: 'IBV_MIG_MIGRATED' },
        };
        return {
          steps: [
            load(path, other),
            query,
            ...begun(profile, first),
            ...staying(answerFrom(first)),
            settle,
            query,
            // an answer that only shows that the far end has gone there
            ...(called ? [migrated] : over(path, [respond({ kind: 'ack' }, wrPsn(0))])),
            settle,
            query,
            ...(again ? [load('peer', 14), query] : []),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-path-queried', 'rc-alternate-queried', 'rc-migration-queried'],
};
