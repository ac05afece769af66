import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { respond } from '../../rc-requester/parts.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { headerBytes, post, query, receive, scenarios, settle, wrOf } from '../../verbs/parts.ts';

const every = ['RC', 'UC', 'UD'] as const;
const bytes = 64;
const fault = { again: true, localFault: 'deregistered' } as const;

/** How often the memory is used before it is deregistered, and work in front of that which misses it. */
const uses = fc.integer({ min: 1, max: 3 });

export const receiveKeysGone: SuiteProperty = {
  id: 'verbs/receive-keys-gone',
  suite: 'verbs',
  says: 'Memory that was deregistered takes no message, also where the QP has received into it before.',
  arbitrary: (profile) =>
    scenarios(profile, 'responder', every, uses, ({ service }, count) => {
      const message: Step[] = [inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes } })), settle];
      const usual = receive('responder', service, bytes);
      const missing: Step = {
        do: 'post_recv',
        length: bytes + headerBytes[service],
        at: 'responder',
        ...fault,
      };
      return {
        steps: [
          ...Array.from({ length: count }, () => [usual, ...message]).flat(),
          missing,
          ...message,
          query,
        ],
      };
    }),
  aims: ['rc-receive-buffer-faulty', 'uc-receive-buffer-faulty', 'ud-receive-buffer-faulty'],
};

export const sendKeysGone: SuiteProperty = {
  id: 'verbs/send-keys-gone',
  suite: 'verbs',
  says: 'Nothing of memory that was deregistered is sent, also where the QP has sent of it before.',
  arbitrary: (profile) =>
    scenarios(profile, 'requester', every, uses, ({ service }, count) => {
      const wr = wrOf({ length: bytes, signaled: true });
      const answer = (n: number): Step[] =>
        service === 'RC' ? [respond({ kind: 'ack' }, { from: 'wr-end', wr: n, offset: 0 })] : [];
      const sent = (n: number): Step[] => [post('requester', wr), settle, ...answer(n), settle];
      return {
        steps: [
          ...Array.from({ length: count }, (_, n) => sent(n)).flat(),
          post('requester', { ...wr, ...fault }),
          settle,
          query,
        ],
      };
    }),
  aims: ['send-region-deregistered'],
};
