import type { QpState } from '../../../spec/verbs.ts';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { answeredJobs, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, begun, workOf } from '../../rc-requester/parts.ts';
import type { Step } from '../../scenario.ts';
import { query, rts } from '../../verbs/parts.ts';

/** At once: READs and ATOMICs are unanswered. */
const to = (state: QpState): Step => ({ do: 'modify_qp', at: 'requester', state, midway: true });

/** RESET ends as many READs and ATOMICs as may be unanswered. */
export const readsInSecondLife: SuiteProperty = {
  id: 'rc-requester/reads-in-second-life',
  suite: 'rc-requester',
  says: 'A QP that was reset has max_rd_atomic READs and ATOMICs again, whatever was unanswered before.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        open: jobs(profile, answeredJobs, 3, { mostMtus: 1, signaled: true }),
        anew: jobs(profile, answeredJobs, 2, { mostMtus: 1, signaled: true }),
      },
      jobs: ({ open }) => open,
      parts: (work, { anew }, { mtu }) => {
        const next = workOf(anew, mtu);
        return {
          maxRdAtomic: Math.max(1, work.wrs.length),
          retryCnt: 7,
          steps: [to('IBV_QPS_RESET'), ...rts.map(to), ...begun(profile, next), ...answerFrom(next), query],
        };
      },
    }),
  aims: ['rc-send-queue-goes-on', 'rc-reads-outstanding'],
};
