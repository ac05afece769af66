import fc from 'fast-check';
import { base, fullAccess, responderScenario } from '../arbitraries/base.ts';
import { message, send } from '../arbitraries/message.ts';
import { inject, packet, recv, settle } from '../arbitraries/packets.ts';
import { rnrTimer } from '../arbitraries/scalars.ts';
import { onGrid, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario, Step } from '../scenario.ts';
import { along, stateOf, wayTo, withAttr, type Change } from './parts.ts';

/** All codes, of which 0 is the longest wait. */
const timers: Grid<number> = { name: 'min_rnr_timer', cells: () => [...range(1, 31), 0] };

export type Place = 'rtr-rts' | 'rts-rts' | 'sqd-rts' | 'sqd-sqd';

/** Calls that set min_rnr_timer anew after INIT to RTR has set it first, and end in RTS. */
export function anew(place: Place, timer: number): Change[] {
  const attr = { min_rnr_timer: timer };
  switch (place) {
    case 'rtr-rts':
      return [...wayTo('RTR'), withAttr({ state: stateOf('RTS') }, attr)];
    case 'rts-rts':
      return [{ attr }];
    case 'sqd-rts':
      return [
        ...wayTo('SQD'),
        withAttr(along({ from: 'SQD', to: 'RTS', required: [], optional: [] }, true), attr),
      ];
    case 'sqd-sqd':
      return [...wayTo('SQD'), { attr }, { state: stateOf('RTS') }];
  }
}

export const timerInNak: SuiteProperty = {
  id: 'parameters/rnr-timer-in-nak',
  suite: 'parameters',
  says: 'An RNR NAK carries the min_rnr_timer that the responder was given last, and no other parameter has a part in it.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        place: fc.constantFrom<Place>('rts-rts', 'rtr-rts', 'sqd-rts', 'sqd-sqd'),
        timer: onGrid(timers, profile, rnrTimer()),
        refused: fc.boolean(),
        other: fc.nat(31),
      })
      .map(({ chosen, place, timer, refused, other }): Scenario => {
        const calls: Change[] = [
          ...anew(place, timer),
          // sq_psn is none that RTS to RTS takes, so that this call changes nothing
          ...(refused ? [{ attr: { min_rnr_timer: other, sq_psn: 1 } }] : []),
        ];
        const small = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        const steps: Step[] = [
          ...calls.map((call): Step => ({ do: 'modify_qp', at: 'responder', ...call })),
          { do: 'query_qp' },
          small,
          settle,
          recv(8),
          small,
          settle,
        ];
        const plain = responderScenario(profile, { ...chosen, srq: false }, { steps, regions: [] });
        return { ...plain, responder: { ...plain.responder, access: fullAccess(profile) } };
      }),
  grids: [timers],
  aims: ['rc-receiver-not-ready', 'qp-query-min-rnr-timer'],
};

const deep = ['read', 'fetch-add', 'cmp-swap'] as const;

export const depthChanged: SuiteProperty = {
  id: 'parameters/depth-changed',
  suite: 'parameters',
  says: 'A responder takes as many READs and ATOMICs at a time as the max_dest_rd_atomic that it was given last.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        depth: fc.constantFrom(0, 1, 2, 4),
        before: fc.constantFrom(0, 1, 4),
        messages: fc.array(message(profile, deep, 2), { minLength: 1, maxLength: 5, size: 'max' }),
        wait: fc.boolean(),
      })
      .map(({ chosen, depth, before, messages, wait }): Scenario => {
        const most = profile.limits.maxDestRdAtomic;
        const calls: Change[] = [
          ...wayTo('SQD'),
          { attr: { max_dest_rd_atomic: Math.min(depth, most) } },
          { state: stateOf('RTS') },
        ];
        const steps: Step[] = [
          ...calls.map((call): Step => ({ do: 'modify_qp', at: 'responder', ...call })),
          { do: 'query_qp' },
          // left to be flushed once a request is refused
          recv(8),
          ...messages.flatMap((m) => [...send(m, chosen.mtu), ...(wait ? [settle] : [])]),
        ];
        return responderScenario(
          profile,
          { ...chosen, srq: false, maxDestRdAtomic: Math.min(before, most) },
          { steps },
        );
      }),
  aims: ['qp-query-max-dest-rd-atomic', 'rc-no-responder-resources', 'rc-read-executed'],
};
