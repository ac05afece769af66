import fc from 'fast-check';
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

/** A request of its packets, of which the first names the range. */
function packetsOf(kind: Kind, { offset, length }: Range, mtu: number): PacketPlan[] {
  const target = { region: open, offset, length, window: 0 };
  const plan = { psn: { from: 'next', offset: 0 }, ackReq: true } as const;
  if (kind === 'read')
    return [{ ...plan, operation: 'RDMA_READ_REQUEST', payload: { mtus: 0, bytes: 0 }, target }];
  const packets = Math.ceil(length / mtu);
  return Array.from({ length: packets }, (_, i): PacketPlan => {
    const last = i === packets - 1;
    const name = i === 0 ? (last ? 'ONLY' : 'FIRST') : last ? 'LAST' : 'MIDDLE';
    return {
      ...plan,
      operation: `RDMA_WRITE_${name}`,
      payload: last ? { mtus: 0, bytes: length - i * mtu } : { mtus: 1, bytes: 0 },
      ...(i === 0 && { target }),
    };
  });
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
        const asked = (what: Kind, some: Range): Step[] => packetsOf(what, some, mtu).map(inject);
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
