import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { asMember, oneByOne, sideBySide } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Member, Step } from '../../scenario.ts';
import { chosen, query, receives, sends, post, settle, verbsScenario, wrOf } from '../../verbs/parts.ts';

const at = 'responder';

const toErr: Step = { do: 'modify_qp', at, state: 'IBV_QPS_ERR', midway: true };
/** Names memory that is not there: no receive WQE is taken for it. */
const denied: Step = inject(
  packet('RDMA_WRITE_ONLY', {
    payload: { mtus: 0, bytes: 8 },
    target: { region: 0, offset: 0, length: 8, rkey: 'bad' },
  }),
);

/** QPs on one CQ fail one behind the other, each with work requests in its queues. */
export const failuresApart: SuiteProperty = {
  id: 'device/failures-apart',
  suite: 'device',
  qps: 3,
  says: 'Each QP that goes to ERR has its work requests flushed, also where another QP on the same CQ is there already.',
  arbitrary: (profile) =>
    fc
      .array(
        fc.record({
          c: chosen(profile, ['RC', 'UC', 'UD']),
          posted: fc.integer({ min: 1, max: 3 }),
          later: fc.integer({ min: 0, max: 2 }),
          sent: sends(2),
          called: fc.boolean(),
        }),
        { minLength: 2, maxLength: 3, size: 'max' },
      )
      .map((all) => {
        const made = all.map(({ c, posted, later, sent, called }): { member: Member; begins: number } => {
          const begin = receives(at, c.service, posted);
          const fails = called || c.service !== 'RC' ? toErr : denied;
          const behind = [...receives(at, c.service, later), ...sent.map((one) => post(at, wrOf(one)))];
          const steps = [...begin, fails, ...(c.service === 'UD' ? [] : behind), settle, query];
          return { member: asMember(verbsScenario(profile, at, c, { steps })), begins: begin.length };
        });
        // each fails before anybody polls
        return sideBySide(
          made.map(({ member }) => member),
          { order: [...oneByOne(made), ...made.keys()], share: ['cq'] },
        );
      }),
  aims: ['flush-receive-in-error', 'flush-send-in-error', 'completion-attributed'],
};
