import fc from 'fast-check';
import type { QpState } from '../../spec/verbs.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { exchange } from '../rc-requester/exchange.ts';
import { dataJobs, everyJob, job, jobs } from '../rc-requester/jobs.ts';
import { answerFrom, requestsFrom, respond, scenarios, sent, wrPsn } from '../rc-requester/parts.ts';
import { rnrUs, shortRnrCode } from '../rc-requester/timing.ts';
import type { Step } from '../scenario.ts';
import { cnp, dcqcnOf, sleep, wide } from './parts.ts';

const to = (state: QpState): Step => ({ do: 'modify_qp', at: 'requester', state });

export const notifiedInWaits: SuiteProperty = {
  id: 'congestion/cnp-in-waits',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'A CNP is obeyed while a QP waits for the receiver, drains or sends again, and disturbs none of it.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        refused: job(profile, dataJobs, { mostMtus: 1 }),
        followers: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        during: fc.constantFrom('rnr', 'drain', 'retry', 'rnr-in-drain'),
        code: shortRnrCode(),
        count: fc.integer({ min: 1, max: 3 }),
      },
      jobs: ({ refused, followers }) => [refused, ...followers],
      parts: (work, { during, code, count }) => {
        const packets = requestsFrom(work);
        const refusal = respond({ kind: 'rnr', timer: code }, wrPsn(0));
        const cnps = Array.from({ length: count }, () => cnp({ ecn: 1 }));
        const waited: Step = { do: 'await', packets, us: rnrUs(profile, code) };
        const drains = during === 'drain' || during === 'rnr-in-drain';
        const begun: Step[] = {
          rnr: [refusal, ...cnps, waited],
          drain: [to('IBV_QPS_SQD'), ...cnps],
          retry: [respond({ kind: 'nak', code: 0 }, wrPsn(0)), ...cnps, ...sent(profile, packets)],
          'rnr-in-drain': [to('IBV_QPS_SQD'), refusal, ...cnps, waited],
        }[during];
        return {
          rnrRetry: 7,
          retryCnt: 7,
          steps: [
            ...begun,
            sleep(dcqcnOf(profile).decreaseSlot * 1.1),
            settle,
            ...answerFrom(work),
            settle,
            ...(drains ? [to('IBV_QPS_RTS')] : []),
          ],
        };
      },
    }).map((scenario) => wide(profile, scenario)),
  aims: ['cc-cnp-noticed', 'cc-rate-first-cnp', 'cc-cut-owed', 'cc-cnp-consumed'],
};

export const notifiedOutOfWork: SuiteProperty = {
  id: 'congestion/cnp-out-of-work',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'A CNP for a QP that cannot send does nothing to its state, whether it is noted or not.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        path: fc.constantFrom<QpState[]>(
          ['IBV_QPS_ERR'],
          ['IBV_QPS_RESET'],
          ['IBV_QPS_RESET', 'IBV_QPS_INIT'],
          ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'],
        ),
        count: fc.integer({ min: 1, max: 3 }),
      }),
      (_, { path, count }) => ({
        steps: [
          ...path.map(to),
          ...Array.from({ length: count }, () => cnp({ ecn: 1 })),
          settle,
          { do: 'query_qp' },
        ],
      }),
    ).map((scenario) => wide(profile, scenario)),
  aims: ['cc-cnp-ignored', 'cc-cnp-consumed'],
};
