import fc from 'fast-check';
import { dataPackets, send, type Message } from '../arbitraries/message.ts';
import { inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import { writeAccess } from '../arbitraries/unreliable.ts';
import type { Profile } from '../../adapters/adapter.ts';
import { anyCell, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { responders, ucMessage } from './uc-parts.ts';

/** What a message has of the bytes that are too many: it says so, and they need not come, or all of them come. */
interface Extent {
  kind: 'announced' | 'send' | 'write-imm';
  length: number;
}

/** Bytes of the longest message that comes whole. */
const mostWhole = 2 ** 16;
/** Bytes of the longest message that there is. */
const longest = 2 ** 31;

function extentsOf({ limits }: Profile): Extent[] {
  const most = limits.maxMessageBytes;
  const announced = [most + 1, most, longest].filter((length, i, all) => all.indexOf(length) === i);
  const whole = most < mostWhole ? ([most + 1, most] as const) : [];
  return [
    ...announced.map((length): Extent => ({ kind: 'announced', length })),
    ...whole.flatMap((length): Extent[] => [
      { kind: 'send', length },
      { kind: 'write-imm', length },
    ]),
  ];
}

const extents: Grid<Extent> = { name: 'length of a message of UC against max_msg_sz', cells: extentsOf };

function beyond({ kind, length }: Extent, drawn: Message, mtu: number): Step[] {
  if (kind !== 'announced')
    return dataPackets({ ...drawn, kind }, mtu, length, { region: 1, offset: 0, length }).map(inject);
  const target = { region: 0, offset: 0, length };
  const payload = { mtus: 1, bytes: 0 };
  return [
    inject(packet('RDMA_WRITE_FIRST', { payload, target, ackReq: false })),
    inject(packet('RDMA_WRITE_MIDDLE', { payload, ackReq: false })),
  ];
}

export const beyondPort: SuiteProperty = {
  id: 'uc/beyond-port',
  suite: 'uc',
  requires: ['uc'],
  says: 'A message that is longer than the port takes is refused or received, and the next one is received.',
  beyondLimits: true,
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        extent: anyCell(extents, profile),
        drawn: ucMessage(profile, 1),
        after: ucMessage(profile, 2),
      }),
      ({ mtu }, { extent, drawn, after }) => ({
        srq: false,
        regions: [
          { length: 4 * mtu, access: writeAccess, fill: 1 },
          ...(extent.kind === 'write-imm' ? [{ length: extent.length, access: writeAccess, fill: 2 }] : []),
        ],
        steps: [
          { do: 'query_port' },
          ...(extent.kind === 'announced' ? [] : recvs(1, extent.length)),
          ...recvs(2, 4 * mtu),
          ...beyond(extent, drawn, mtu),
          settle,
          ...send(after, mtu),
          settle,
        ],
      }),
    ),
  grids: [extents],
  // uc-beyond-port is not named: only a port that takes less than the longest message can show it
  aims: ['uc-access-denied-early', 'uc-restarts-in-message'],
};
