import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { sharesReceives } from '../../arbitraries/shared.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { query, receives, scenarios, settle, type Service } from '../../verbs/parts.ts';

const at = 'responder';
const every: readonly Service[] = ['RC', 'UC', 'UD'];
const room = 6;

const asked: Grid<readonly [number, number]> = {
  name: 'size and limit of an SRQ that one call asks for',
  cells: () => [
    ...pairs([room + 4, room, room - 2], [2, 1, room - 3, 0]),
    // a limit beyond the size, which may be refused: the SRQ stays as long as it was then
    [room - 2, room - 1] as const,
  ],
};

const message: Step = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));

export const srqSizeAndLimit: SuiteProperty = {
  id: 'verbs/srq-size-and-limit',
  suite: 'verbs',
  requires: ['srq', 'srq-resize'],
  says: 'An ibv_modify_srq that asks for a size and a limit at once sets both, or is refused and sets neither.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every.filter((service) => sharesReceives(profile, service)),
      fc.record({
        cell: anyCell(asked, profile),
        held: fc.constantFrom(3, 4),
        armed: fc.boolean(),
        fills: fc.boolean(),
      }),
      ({ service }, { cell: [maxWr, limit], held, armed, fills: drawn }) => {
        const beyond = limit > maxWr;
        const fills = drawn || beyond;
        const full = beyond ? room : maxWr;
        return {
          srq: true,
          plan: { maxRecvWr: room },
          steps: [
            ...receives(at, service, held),
            ...(armed ? [{ do: 'modify_srq', limit: 1 } as const] : []),
            { do: 'modify_srq', maxWr, limit },
            { do: 'query_srq' },
            ...(fills ? receives(at, service, Math.max(0, full - held)) : []),
            settle,
            ...Array.from({ length: fills ? full : held }, () => [message, settle]).flat(),
            { do: 'query_srq' },
            query,
          ],
        };
      },
    ),
  grids: [asked],
  aims: ['srq-limit-reached', 'srq-query-armed', 'srq-limit-settable', 'post-shared-receive-accepted'],
};
