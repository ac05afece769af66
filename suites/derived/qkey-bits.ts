import fc from 'fast-check';
import { datagram, datagramPacket, grhBytes } from '../arbitraries/datagram.ts';
import { inject, recvs, settle } from '../arbitraries/packets.ts';
import { unreliable } from '../arbitraries/unreliable.ts';
import { inRows, onGrid, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';

/** Bits in which Q_Keys differ from that of the QP, each in one of them. */
const rows = inRows([31, ...range(0, 30)], 8);
const bits: Grid<readonly number[]> = {
  name: 'bits of the Q_Key that differ, one by one',
  cells: () => rows,
};

export const qkeyBits: SuiteProperty = {
  id: 'ud/qkey-bits',
  suite: 'ud',
  requires: ['ud'],
  says: 'A datagram whose Q_Key differs from that of the QP in a single bit is dropped, whichever bit that is.',
  arbitrary: (profile) =>
    unreliable(
      'UD',
      'responder',
      profile,
      fc.record({
        row: onGrid(bits, profile, fc.constantFrom(...rows)),
        own: fc.constantFrom(0x11111111, 0, 0xffffffff, 0x80010000, 0x7fffffff),
        sent: datagram(),
        before: fc.boolean(),
        after: datagram(),
      }),
      ({ mtu }, { row, own, sent, before, after }) => ({
        responder: { qkey: own },
        steps: [
          ...recvs(3, grhBytes + mtu),
          ...(before ? [inject(datagramPacket(after, mtu)), settle] : []),
          ...row.flatMap((bit) => [
            inject(datagramPacket(sent, mtu, { qkey: (own ^ (1 << bit)) >>> 0 })),
            settle,
          ]),
          inject(datagramPacket(after, mtu)),
          settle,
        ],
      }),
    ),
  grids: [bits],
  aims: ['ud-drop-qkey', 'unreliable-receive-undue'],
};
