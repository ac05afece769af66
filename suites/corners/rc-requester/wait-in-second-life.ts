import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { dataJobs, job } from '../../rc-requester/jobs.ts';
import { answerFrom, begun, requestsFrom, respond, workOf, wrPsn } from '../../rc-requester/parts.ts';
import { evenly, rnrUs, timingOf } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { query, rts } from '../../verbs/parts.ts';
import type { QpState } from '../../../spec/verbs.ts';

/** At once: a wait for the receiver is no rest. */
const to = (state: QpState): Step => ({ do: 'modify_qp', at: 'requester', state, midway: true });

export const waitInSecondLife: SuiteProperty = {
  id: 'rc-requester/wait-in-second-life',
  suite: 'rc-requester',
  says: 'A wait for the receiver that RESET has ended does not end that of the life behind it.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        refused: job(profile, dataJobs, { mostMtus: 1 }),
        anew: job(profile, dataJobs, { mostMtus: 1, signaled: true }),
        code: timingOf(profile).virtual ? evenly(14, 26) : evenly(18, 20),
        longer: evenly(1, 4),
      },
      jobs: ({ refused }) => [refused],
      parts: (_, { anew, code, longer }, { mtu }) => {
        const work = workOf([anew], mtu);
        const next = code + longer;
        return {
          rnrRetry: 6,
          retryCnt: 7,
          steps: [
            respond({ kind: 'rnr', timer: code }, wrPsn(0)),
            // so that the NAK can only be of the life that it came in
            { do: 'sleep', us: timingOf(profile).prompt },
            to('IBV_QPS_RESET'),
            ...rts.map(to),
            ...begun(profile, work),
            respond({ kind: 'rnr', timer: next }, wrPsn(0)),
            { do: 'await', packets: requestsFrom(work), us: rnrUs(profile, next) },
            ...answerFrom(work),
            query,
          ],
        };
      },
    }),
  aims: ['rc-rnr-wait', 'rc-rnr-wait-over'],
};
