import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { post, query, receive, scenarios, settle, wrOf } from '../../verbs/parts.ts';

const at = 'responder';

/** Both CQs of a QP are armed, and completions come to one after the other. */
export const twoCqsArmed: SuiteProperty = {
  id: 'verbs/two-cqs-armed',
  suite: 'verbs',
  requires: ['cq-events'],
  says: 'The event of one CQ leaves the other one armed.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['UC', 'UD'],
      fc.record({ sendFirst: fc.boolean(), armedFirst: fc.boolean(), rests: fc.boolean() }),
      ({ service, mtu }, { sendFirst, armedFirst, rests }) => {
        const arm = (queue: 'send' | 'receive'): Step => ({ do: 'req_notify_cq', queue });
        const turns = <T>(first: boolean, sends: T, receives: T): T[] =>
          first ? [sends, receives] : [receives, sends];
        const message = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        const [first, second] = turns(sendFirst, post(at, wrOf({ length: 8, signaled: true })), message);
        return {
          cqs: 'apart' as const,
          steps: [
            receive(at, service, mtu + 8),
            settle,
            ...turns(armedFirst, arm('send'), arm('receive')),
            ...[first, ...(rests ? [settle] : []), second].filter((step) => step !== undefined),
            settle,
            query,
          ],
        };
      },
    ),
  aims: ['cq-event-due', 'cq-event-once'],
};
