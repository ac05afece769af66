import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { sharesReceives } from '../../arbitraries/shared.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { receives, scenarios, settle, type Service } from '../../verbs/parts.ts';

const at = 'responder';
const every: readonly Service[] = ['RC', 'UC', 'UD'];

/** WQEs that an SRQ lacks to its limit when that is set: none is lacking, it holds just as many. */
const lacks = [1, 0, 2] as const;
/** Messages that have come before. */
const befores = [1, 0, 2] as const;

const low: Grid<[(typeof lacks)[number], (typeof befores)[number]]> = {
  name: 'WQEs that an SRQ lacks to the limit that is set, and messages before that',
  cells: () => pairs(lacks, befores),
};

const message: Step = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));

export const srqLimitLow: SuiteProperty = {
  id: 'verbs/srq-limit-low',
  suite: 'verbs',
  requires: ['srq'],
  says: 'A limit that is set above what is on an SRQ, or at just that number, raises its event when the SRQ has been filled and falls below it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every.filter((service) => sharesReceives(profile, service)),
      fc.record({
        cell: anyCell(low, profile),
        left: fc.integer({ min: 1, max: 3 }),
        above: fc.nat(1),
        // software looks whether the event has come
        rests: fc.boolean(),
        asks: fc.boolean(),
      }),
      ({ service }, { cell: [lacking, before], left, above, rests, asks }) => {
        const limit = left + lacking;
        const pause: Step[] = [...(rests ? [settle] : []), ...(asks ? [{ do: 'query_srq' } as const] : [])];
        return {
          srq: true,
          steps: [
            ...receives(at, service, left + before),
            ...Array.from({ length: before }, () => [message, settle]).flat(),
            { do: 'modify_srq', limit },
            ...pause,
            ...receives(at, service, lacking + above),
            ...pause,
            ...Array.from({ length: above + 1 }, () => [message, settle]).flat(),
            ...(asks ? [{ do: 'query_srq' } as const] : []),
            settle,
          ],
        };
      },
    ),
  grids: [low],
  aims: ['srq-limit-reached-again', 'srq-limit-reached', 'srq-limit-armed-below'],
};
