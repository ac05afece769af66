import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opcodeByName } from '../../../spec/constants.ts';
import { encode } from '../../../wire/index.ts';
import type { PacketFields } from '../../../wire/index.ts';
import type { Passed } from './between-nics.ts';
import { bytes, reth } from './conversation.ts';
import { judged, points, seenAt } from './point.ts';
import { framesOfSender, sendingPlans } from './unreliable-nic.ts';

type Sent = [opcode: string, psn: number, fields?: Partial<PacketFields> & { after?: number }];

/** Packets of one sender, 10 us apart unless `after` says otherwise, in nanoseconds. */
function sent(...packets: Sent[]): Passed[] {
  let t = 0;
  return packets.map(([opcode, psn, { after = 10_000, ...fields } = {}]) => {
    t += after;
    return { t, frame: encode({ opcode: opcodeByName(opcode), destQp: 0x22, psn, ...fields }) };
  });
}

const broken = (frames: Passed[]): string[] => judged(frames).violations.map(({ rule }) => rule);
const full = bytes(1024);
const deth = (srcQp: number) => ({ deth: { qkey: 1, srcQp }, ...bytes(16) });
const first: Sent = ['UC_SEND_FIRST', 4, full];

describe('a sender of UC or UD in a capture', () => {
  const faults: [string, string, Passed[]][] = [
    [
      'a MIDDLE behind a LAST',
      'unreliable-request-opcode',
      sent(first, ['UC_SEND_LAST', 5, full], ['UC_SEND_MIDDLE', 6, full]),
    ],
    [
      'a LAST of another operation',
      'unreliable-request-opcode',
      sent(first, ['UC_RDMA_WRITE_LAST', 5, full]),
    ],
    [
      'a MIDDLE that is seen before the ONLY in front of it',
      'unreliable-request-opcode',
      sent(['UC_SEND_ONLY', 4, bytes(8)], ['UC_SEND_MIDDLE', 6, full], ['UC_SEND_ONLY', 5, bytes(8)]),
    ],
    [
      'a MIDDLE that is not full',
      'unreliable-request-length',
      sent(first, ['UC_SEND_MIDDLE', 5, bytes(512)]),
    ],
    ['an empty LAST', 'unreliable-request-length', sent(first, ['UC_SEND_LAST', 5])],
    [
      'a WRITE shorter than its RETH',
      'unreliable-request-length',
      sent(['UC_RDMA_WRITE_FIRST', 4, { ...reth(4000), ...full }], ['UC_RDMA_WRITE_LAST', 5, bytes(500)]),
    ],
    [
      'a WRITE of one packet longer than its RETH',
      'unreliable-request-length',
      sent(['UC_RDMA_WRITE_ONLY', 4, { ...reth(8), ...bytes(12) }]),
    ],
    ['TVer 1', 'unreliable-request-header', sent(['UC_SEND_ONLY', 4, { tver: 1 }])],
    [
      'a PSN for two packets',
      'unreliable-sent-in-order',
      sent(['UC_SEND_ONLY', 3, bytes(8)], ['UC_SEND_ONLY', 4, bytes(8)], ['UC_SEND_ONLY', 4, bytes(12)]),
    ],
    [
      'a datagram beyond the largest path MTU',
      'unreliable-request-length',
      sent(['UD_SEND_ONLY', 4, { ...deth(9), ...bytes(4100) }]),
    ],
    [
      'a PSN for datagrams to two QPs',
      'unreliable-sent-in-order',
      sent(
        ['UD_SEND_ONLY', 3, deth(9)],
        ['UD_SEND_ONLY', 4, deth(9)],
        ['UD_SEND_ONLY', 4, { ...deth(9), destQp: 0x23 }],
      ),
    ],
    ['TVer 1 of a datagram', 'unreliable-request-header', sent(['UD_SEND_ONLY', 4, { ...deth(9), tver: 1 }])],
  ];
  it.each(faults)('%s breaks %s', (_, rule, frames) => {
    expect(broken(frames)).toEqual([rule]);
  });

  const sound: [string, Passed[]][] = [
    [
      'a message of which packets are missing',
      sent(first, ['UC_SEND_LAST', 8, bytes(8)], ['UC_SEND_ONLY', 9]),
    ],
    [
      'a message that was given up, and the next one',
      sent(first, ['UC_RDMA_WRITE_FIRST', 5, { ...reth(2000), ...full }]),
    ],
    ['a packet that is seen twice', sent(first, first, ['UC_SEND_LAST', 5, full])],
    [
      'the same PSNs of a new connection',
      sent(first, ['UC_SEND_LAST', 5, full], ['UC_SEND_MIDDLE', 5, { ...bytes(256), after: 2e6 }]),
    ],
    ['packets in another order', sent(['UC_SEND_LAST', 6, bytes(4)], ['UC_SEND_MIDDLE', 5, full], first)],
    [
      'the same PSNs of two senders',
      sent(['UD_SEND_ONLY', 4, deth(9)], ['UD_SEND_ONLY', 4, { ...deth(10), destQp: 0x23 }]),
    ],
    [
      'one PSN for all management datagrams',
      sent(
        ['UD_SEND_ONLY', 0, { ...deth(1), destQp: 1 }],
        ['UD_SEND_ONLY', 0, { ...deth(1), ...bytes(256), destQp: 1 }],
      ),
    ],
  ];
  it.each(sound)('%s is sound', (_, frames) => {
    expect(broken(frames)).toEqual([]);
  });

  it('is not held against what was damaged on the way', () => {
    const [one] = sent(['UC_SEND_ONLY', 4, { tver: 1 }]);
    if (one === undefined) throw new Error('no frame');
    const frame = one.frame.slice();
    frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 1;
    expect(broken([{ ...one, frame }])).toEqual([]);
  });

  it('shows no violation, whatever the network and the point of capture lose, double and delay', async () => {
    const counts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(sendingPlans, points, async (plan, point) => {
        const { violations, exercised } = judged(seenAt(point, await framesOfSender(plan)));
        expect(violations).toEqual([]);
        for (const [id, n] of exercised) counts.set(id, (counts.get(id) ?? 0) + n);
      }),
      process.env['RUNS'] === undefined
        ? { numRuns: 60, seed: 1, endOnFailure: true }
        : { numRuns: Number(process.env['RUNS']), seed: Number(process.env['SEED'] ?? 2) },
    );
    for (const id of ['unreliable-request-opcode', 'unreliable-request-length', 'unreliable-sent-in-order'])
      expect(counts.get(id)).toBeGreaterThan(100);
  }, 3_600_000);
});
