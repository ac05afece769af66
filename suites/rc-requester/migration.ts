import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { everyJob, jobs, wrOf } from './jobs.ts';
import { answerFrom, finish, postAll, requestsFrom, respond, scenarios, sent, wrPsn } from './parts.ts';
import { firstSent } from './rnr.ts';
import { detectionUs, exhaustionUs, shortTimeout } from './timing.ts';

/** How the retries are spent. */
type Cause = 'silence' | 'nak';

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
        alternate: shortTimeout(profile),
        armed: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
        cause: fc.constantFrom<Cause>('silence', 'nak'),
        recovers: fc.boolean(),
      }),
      ({ mtu, retryCnt }, { before, all, timeout, alternate, armed, cause, recovers }) => {
        const first = { wrs: before.map((j) => wrOf(j, mtu)), mtu };
        const work = { wrs: [...first.wrs, ...all.map((j) => wrOf(j, mtu))], mtu };
        const n = first.wrs.length;
        const packets = requestsFrom(work, n);
        // A packet with MigReq 0 arms the QP that waits for it.
        const arming = answerFrom(first).map((step): Step =>
          step.do === 'respond' && armed
            ? { do: 'respond', packet: { ...step.packet, defect: { kind: 'ignored', field: 'mig-req' } } }
            : step,
        );
        const spent: Step[] = Array.from({ length: retryCnt + 1 }, (): Step[] =>
          cause === 'silence'
            ? [{ do: 'await', packets, us: detectionUs(profile, timeout) }]
            : [respond({ kind: 'nak', code: 0 }, wrPsn(n)), ...sent(profile, packets)],
        ).flat();
        return {
          timeout,
          steps: [
            {
              do: 'modify_qp',
              at: 'requester',
              attr: {
                alt_ah_attr: 'peer',
                alt_pkey_index: 0,
                alt_port_num: 1,
                alt_timeout: alternate,
                path_mig_state: 'IBV_MIG_REARM',
              },
            },
            ...postAll(first),
            ...firstSent(profile, first),
            ...arming,
            { do: 'settle' },
            ...postAll({ wrs: work.wrs.slice(n), mtu }),
            ...sent(profile, packets),
            ...spent,
            ...(recovers ? answerFrom(work, n) : finish(profile, exhaustionUs(profile, alternate, retryCnt))),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-migrate-when-exhausted', 'rc-retry-exhausted'],
};
