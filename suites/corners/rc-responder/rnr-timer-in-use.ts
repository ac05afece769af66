import fc from 'fast-check';
import { anew, type Place } from '../../attributes/effect.ts';
import { base, responderScenario } from '../../arbitraries/base.ts';
import { inject, packet, recv, settle } from '../../arbitraries/packets.ts';
import { rnrTimer } from '../../arbitraries/scalars.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';

const places: readonly Place[] = ['rts-rts', 'rtr-rts', 'sqd-rts', 'sqd-sqd'];
/** Whether the request that was refused is still awaited when the timer changes. */
const moments = ['awaited', 'received'] as const;

const changes: Grid<[Place, (typeof moments)[number]]> = {
  name: 'transition that changes min_rnr_timer behind an RNR NAK, and what has become of the request',
  // a QP that comes through RESET awaits nothing
  cells: () =>
    pairs(places, moments).filter(([place, moment]) => place !== 'rtr-rts' || moment === 'received'),
};

export const rnrTimerInUse: SuiteProperty = {
  id: 'rc-responder/rnr-timer-in-use',
  suite: 'rc-responder',
  says: 'An RNR NAK carries the min_rnr_timer of its time, whatever those before it carried.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        cell: anyCell(changes, profile),
        timers: fc.array(rnrTimer(), { minLength: 1, maxLength: 2 }),
      })
      .map(({ chosen, cell: [place, moment], timers }) => {
        const small = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        const refused = [small, settle];
        const received = moment === 'received' ? [recv(8), small, settle] : [];
        const steps: Step[] = [
          ...refused,
          ...timers.flatMap((timer): Step[] => [
            ...received,
            ...anew(place, timer).map((call): Step => ({ do: 'modify_qp', at: 'responder', ...call })),
            ...refused,
          ]),
          recv(8),
          small,
          settle,
        ];
        return responderScenario(profile, { ...chosen, srq: false }, { steps });
      }),
  grids: [changes],
  aims: ['rc-receiver-not-ready', 'qp-query-min-rnr-timer'],
};
