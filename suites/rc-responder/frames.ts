import fc from 'fast-check';
import { damagedParts } from '../arbitraries/faults.ts';
import { everyKind, message, packetsOf } from '../arbitraries/message.ts';
import { at, inject, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketDefect } from '../scenario.ts';
import { scenarios, send } from './parts.ts';

function damage(): fc.Arbitrary<PacketDefect> {
  return fc.oneof(
    { withCrossShrink: true },
    ...damagedParts.map((part) => fc.constant<PacketDefect>({ kind: 'frame', part })),
    fc.constant<PacketDefect>({ kind: 'short' }),
  );
}

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
        damage: damage(),
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
  aims: [
    'frame-ethertype-wrong',
    'frame-ip-header-wrong',
    'frame-udp-header-wrong',
    'frame-oversized',
    'frame-cut-short',
  ],
};
