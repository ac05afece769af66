import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import { post, query, rts, scenarios, settle, to, wrOf } from './parts.ts';

/** Whether software asks for the event when it takes the QP to SQD; `undefined`: the call says nothing of it. */
const asking = [true, false, undefined] as const;

export const drainedAnew: SuiteProperty = {
  id: 'verbs/drained-anew',
  suite: 'verbs',
  says: 'Behind RESET software has to ask for SQ_DRAINED anew.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      ['RC', 'UC', 'UD'],
      fc.record({
        before: fc.constantFrom(true, true, false),
        behind: fc.constantFrom(...asking, undefined),
        used: fc.boolean(),
        rests: fc.boolean(),
      }),
      ({ service }, { before, behind, used, rests }) => {
        const at = 'requester';
        const asks = (en_sqd_async_notify?: boolean) =>
          en_sqd_async_notify === undefined ? undefined : { en_sqd_async_notify };
        const sends = used && service !== 'RC' ? [post(at, wrOf({ length: 8, signaled: true })), settle] : [];
        return {
          steps: [
            to(at, 'IBV_QPS_SQD', asks(before)),
            ...(rests ? [settle] : []),
            to(at, 'IBV_QPS_RESET'),
            ...rts.map((state) => to(at, state)),
            ...sends,
            to(at, 'IBV_QPS_SQD', asks(behind)),
            settle,
            query,
          ],
        };
      },
    ),
  aims: ['drained', 'drained-undue'],
};
