import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import type { SuiteProperty } from '../../property.ts';
import { post, query, receives, scenarios, sends, settle, to, wrOf } from '../../verbs/parts.ts';

const at = 'responder';

export const wideIds: SuiteProperty = {
  id: 'verbs/wide-ids',
  suite: 'verbs',
  says: 'A completion tells the whole wr_id of its work request, and not its lower half alone; 0 is one like any other.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC', 'UC', 'UD'],
      fc.record({
        received: fc.integer({ min: 1, max: 3 }),
        sent: sends(2, 1),
        flushed: fc.boolean(),
        ids: fc.constantFrom<'wide' | 'send' | 'receive'>('wide', 'send', 'receive'),
      }),
      ({ service }, { received, sent, flushed, ids }) => {
        const message = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        // a far end that is played by packets answers no request
        const sends = service === 'UC' || (service === 'RC' && flushed);
        return {
          plan: ids === 'wide' ? { wideIds: true } : { zeroId: ids },
          steps: [
            ...receives(at, service, received),
            ...Array.from({ length: received }, () => message),
            settle,
            ...(sends ? sent.map((one) => post(at, wrOf(one))) : []),
            ...(flushed ? [...receives(at, service, 2), to(at, 'IBV_QPS_ERR')] : []),
            settle,
            query,
          ],
        };
      },
    ),
  aims: ['rc-receive-completes', 'uc-receive-completes', 'ud-receive-completes', 'completion-attributed'],
};
