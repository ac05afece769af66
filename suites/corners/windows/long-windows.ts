import fc from 'fast-check';
import { packetsOf, type Message } from '../../arbitraries/message.ts';
import { inject } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { PacketPlan, Step } from '../../scenario.ts';
import { query, scenarios, settle } from '../../verbs/parts.ts';
import { allocate, bind, open, regionsOf } from '../../verbs/windows.ts';

const kinds = ['write', 'read'] as const;
type Kind = (typeof kinds)[number];

/** Which bytes a request names: of the window, or some in front of it or behind it as well. */
const extents = ['all', 'end', 'begin', 'one more', 'one before', 'packet more', 'far more'] as const;
type Extent = (typeof extents)[number];

const requests: Grid<[Kind, Extent]> = {
  name: 'long request by the key of a window, and what of it lies beyond',
  cells: () => pairs(kinds, extents),
};

interface Range {
  offset: number;
  length: number;
}

function rangeOf(extent: Extent, { offset, length }: Range, mtu: number): Range {
  switch (extent) {
    case 'all':
      return { offset, length };
    case 'end':
      return { offset: offset + 5, length: length - 5 };
    case 'begin':
      return { offset, length: length - 5 };
    case 'one more':
      return { offset: offset + 8, length: length - 7 };
    case 'one before':
      return { offset: offset - 1, length };
    case 'packet more':
      return { offset, length: length + mtu };
    case 'far more':
      return { offset: offset + length - 1, length: mtu + 1 };
  }
}

/** The packets of a request by the key of the window. */
function requestFor(kind: Kind, { offset, length }: Range, mtu: number): PacketPlan[] {
  const whole: Message = {
    kind,
    size: { mtus: 0, bytes: length },
    ackReq: 'all',
    solicited: false,
    immediate: 0,
    place: offset,
    region: open,
    rkey: 'good',
    atomic: { compare: '0', swapOrAdd: '0' },
  };
  // what lies beyond the window, or the region, is named as well
  return packetsOf(whole, mtu, Number.MAX_SAFE_INTEGER).map((plan) =>
    plan.target === undefined ? plan : { ...plan, target: { ...plan.target, window: 0 } },
  );
}

export const longWindows: SuiteProperty = {
  id: 'verbs/long-windows',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'A window opens each byte of its range to requests of several packets, and no byte beside it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        cell: anyCell(requests, profile),
        offset: fc.constantFrom(8, 64, 1),
        mtus: fc.constantFrom(1, 2),
        bytes: fc.constantFrom(9, 0, 100),
        first: fc.constantFrom(...kinds),
      }),
      (c, { cell: [kind, extent], offset, mtus, bytes, first }) => {
        const { mtu } = c;
        const range = { offset, length: mtus * mtu + bytes };
        const asked = (what: Kind, some: Range): Step[] => requestFor(what, some, mtu).map(inject);
        return {
          regions: regionsOf(profile, c),
          steps: [
            allocate,
            bind(open, { ...range, access: ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ'] }),
            settle,
            ...asked(first, range),
            settle,
            ...asked(kind, rangeOf(extent, range, mtu)),
            settle,
            query,
          ],
        };
      },
    ),
  grids: [requests],
  aims: ['rc-window-access-denied', 'rc-read-executed', 'rc-write-complete-asked'],
};
