import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { post, query, receives, scenarios, sends, settle, to, wrOf } from '../../verbs/parts.ts';

const at = 'responder';

const kinds: Grid<'wide' | 'send' | 'receive'> = {
  name: 'ids that need more than 32 bits, or 0',
  cells: () => ['wide', 'send', 'receive'],
};

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
        ids: anyCell(kinds, profile),
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
  grids: [kinds],
  aims: ['rc-receive-completes', 'uc-receive-completes', 'ud-receive-completes', 'completion-attributed'],
};
