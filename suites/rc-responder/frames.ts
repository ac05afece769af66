import fc from 'fast-check';
import { damagedParts } from '../arbitraries/faults.ts';
import { everyKind, message, packetsOf, send } from '../arbitraries/message.ts';
import { at, inject, recvs, settle } from '../arbitraries/packets.ts';
import { onGrid, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketDefect } from '../scenario.ts';
import { scenarios } from './parts.ts';

const damages: readonly PacketDefect[] = [
  ...damagedParts.map((part): PacketDefect => ({ kind: 'frame', part })),
  { kind: 'short' },
];
const damageGrid: Grid<PacketDefect> = { name: 'damage of the frame', cells: () => damages };

export const framesDropped: SuiteProperty = {
  id: 'rc-responder/frames-dropped',
  suite: 'rc-responder',
  says: 'A frame whose Ethernet, IP or UDP header is wrong draws no response; the same request without the fault is then carried out.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.boolean(),
        message: message(profile, everyKind, 1),
        damage: onGrid(
          damageGrid,
          profile,
          fc.oneof({ withCrossShrink: true }, ...damages.map((one) => fc.constant(one))),
        ),
        offset: fc.constantFrom(0, 1, -1),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { before, message, damage: defect, offset, after }) => {
        const [first] = packetsOf(message, mtu);
        return {
          steps: [
            ...recvs(3, mtu + 64),
            ...(before ? send(message, mtu) : []),
            settle,
            ...(first === undefined ? [] : [inject(at({ ...first, ackReq: true, defect }, offset)), settle]),
            ...(offset === 0 ? send(message, mtu) : []),
            ...send(after, mtu),
          ],
        };
      },
    ),
  grids: [damageGrid],
  aims: [
    'frame-ethertype-wrong',
    'frame-ip-header-wrong',
    'frame-udp-header-wrong',
    'frame-oversized',
    'frame-cut-short',
  ],
};
