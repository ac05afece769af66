import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { everyJob, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, postAll, requestsFrom, sent, workOf } from '../../rc-requester/parts.ts';
import type { AttrPlan, Step } from '../../scenario.ts';
import { query, settle, to } from '../../verbs/parts.ts';

const at = 'requester';

/** Attributes that a QP in SQD may get. */
const changes: readonly AttrPlan[] = [
  { min_rnr_timer: 3 },
  { qp_access_flags: ['IBV_ACCESS_REMOTE_READ'] },
  { rnr_retry: 5 },
  { pkey_index: 0 },
  { min_rnr_timer: 7, rnr_retry: 6 },
];

export const drainedOnce: SuiteProperty = {
  id: 'rc-requester/drained-once',
  suite: 'rc-requester',
  says: 'A drained send queue is called so once for each stay in SQD, whatever attributes the QP gets there, and anew for the next.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        within: fc.array(
          fc.record({ attr: fc.constantFrom(...changes), named: fc.boolean(), rests: fc.boolean() }),
          { minLength: 1, maxLength: 3 },
        ),
        between: jobs(profile, everyJob, 1, { mostMtus: 1 }),
        back: fc.boolean(),
      },
      jobs: ({ before }) => before,
      parts: (work, { before, within, between, back }, { mtu }) => {
        const asked = to(at, 'IBV_QPS_SQD', { en_sqd_async_notify: true });
        const whole = workOf([...before, ...between], mtu);
        const n = before.length;
        const steps = within.flatMap(({ attr, named, rests }): Step[] => [
          // with the state that the QP is in, or without any
          named ? to(at, 'IBV_QPS_SQD', attr) : { do: 'modify_qp', at, attr },
          ...(rests ? [settle] : []),
        ]);
        const again: Step[] = [
          to(at, 'IBV_QPS_RTS'),
          ...postAll({ wrs: whole.wrs.slice(n), mtu }),
          ...sent(profile, requestsFrom(whole, n)),
          ...answerFrom(whole, n),
          settle,
          asked,
        ];
        return {
          retryCnt: 7,
          steps: [
            ...answerFrom(work),
            settle,
            asked,
            settle,
            ...steps,
            settle,
            ...(back ? again : []),
            settle,
            query,
          ],
        };
      },
    }),
  aims: ['drained-again', 'drained'],
};
