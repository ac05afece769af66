import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { drive } from '../../../suites/corpus/drive.ts';
import { BenchSession, generateChunk, properties } from '../../../suites/index.ts';
import { encode, ooethFlags, saethFlags } from '../../../wire/index.ts';
import type { PacketFields } from '../../../wire/index.ts';
import type { Passed } from './between-nics.ts';
import { judged, points, seenAt } from './point.ts';

const ooo = { vendorOpcodes: 'ooo' } as const;
const suite = properties.filter((property) => property.suite === 'ooo');

describe('out-of-order QPs in captures', () => {
  it('are sound where the reference NIC is, whatever the capture lacks, holds twice or swaps', async () => {
    const device = referenceAdapter();
    const profile = await device.describe();
    const exercised = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...suite), fc.nat(10_000), points, async (property, seed, point) => {
        const [one] = generateChunk(property, profile, seed, 0, 1);
        const run = one && (await drive({ BenchSession }, device, one.scenario)).drive;
        const own = run?.header.dut?.addresses ?? [];
        const frames = (run?.events ?? []).flatMap((event): Passed[] =>
          event.kind === 'packet' ? [{ t: event.t, frame: event.packet.frame }] : [],
        );
        const judgement = judged(seenAt(point, frames), undefined, ooo);
        for (const id of judgement.exercised.keys()) exercised.add(id);
        // scripted peers send what is wrong
        const { violations } = judgement;
        expect(violations.filter(({ qp }) => own.some((address) => qp.endsWith(` at ${address}`)))).toEqual(
          [],
        );
      }),
      { numRuns: 150, seed: 1, endOnFailure: true },
    );
    expect([...exercised].filter((id) => id.startsWith('ooo-'))).toHaveLength(17);
  }, 600_000);

  const [a, b] = ['10.0.0.1', '10.0.0.2'];
  const asks = (name: string, psn: number, fields: Partial<PacketFields>): PacketFields => {
    const ooeth = { flags: 0, recvWqeSn: 0, readWqeSn: 0, offset: 0, ...fields.ooeth };
    return { srcIp: a, dstIp: b, destQp: 0x22, psn, opcode: opcodeByName(`ORC_${name}`), ...fields, ooeth };
  };
  const answers = (name: string, psn: number, fields: Partial<PacketFields>): PacketFields => ({
    srcIp: b,
    dstIp: a,
    destQp: 0x11,
    psn,
    opcode: opcodeByName(`ORC_${name}`),
    ...fields,
  });
  const numbered = (recvWqeSn: number, offset = 0) => ({
    flags: ooethFlags.recvWqe,
    recvWqeSn,
    readWqeSn: 0,
    offset,
  });
  const asked = (readWqeSn: number, offset = 0) => ({
    flags: ooethFlags.readWqe,
    recvWqeSn: 0,
    readWqeSn,
    offset,
  });
  const placed = (offset: number) => ({ flags: 0, recvWqeSn: 0, readWqeSn: 0, offset });
  const payload = (bytes: number) => new Uint8Array(bytes);
  const whole = { va: 0x1000n, rkey: 7, dmaLen: 300 };
  const send = (psn: number, number: number) =>
    asks('SEND_ONLY', psn, { ooeth: numbered(number), payload: payload(16) });
  const first = asks('SEND_FIRST', 0, { ooeth: numbered(0), payload: payload(256) });
  const last = asks('SEND_LAST', 1, { ooeth: numbered(0, 256), payload: payload(44) });
  const writes = [
    asks('RDMA_WRITE_FIRST', 0, { ooeth: placed(0), reth: whole, payload: payload(256) }),
    asks('RDMA_WRITE_LAST', 1, { ooeth: placed(256), reth: whole, payload: payload(44) }),
  ];
  const read = asks('RDMA_READ_REQUEST', 0, { ooeth: asked(3), reth: whole });
  const aeth = (msn: number, syndrome = 0x1f) => ({ syndrome, msn });
  const ack = (psn: number, msn: number, trigger = psn, flags = 0) =>
    answers('ACKNOWLEDGE', psn, { aeth: aeth(msn), saeth: { flags, trigger } });
  const part = (name: string, offset: number, bytes: number, number = 3) =>
    answers(`RDMA_READ_RESPONSE_${name}`, 0, {
      ooeth: asked(number, offset),
      payload: payload(bytes),
      ...(name !== 'MIDDLE' && { aeth: aeth(1) }),
    });
  const frames = (packets: readonly PacketFields[]): Passed[] =>
    packets.map((packet, i) => ({ t: i * 1000, frame: encode(packet) }));

  const sound: [string, PacketFields[]][] = [
    ['a message that comes backwards', [last, first, send(2, 1)]],
    ['a packet again', [...writes, writes[0] ?? first]],
    ['numbers over the end of their range', [send(0xffffff, 0xffffff), send(0, 0)]],
    [
      'numbers that others do not take',
      [send(9, 4), { ...read, psn: 10 }, send(11, 5), { ...read, psn: 12, ooeth: asked(4) }],
    ],
    ['responses out of order', [read, part('LAST', 256, 44), part('FIRST', 0, 256)]],
    [
      'Acknowledges out of order',
      [send(0, 0), send(1, 1), ack(1, 2), ack(0, 1), ack(1, 2, 4, saethFlags.selective)],
    ],
  ];
  it.each(sound)('%s is sound', (_, packets) => {
    const { violations, inconclusive } = judged(frames(packets), undefined, ooo);
    expect([...violations, ...inconclusive]).toEqual([]);
  });

  const faults: [string, string, PacketFields[]][] = [
    ['a SEND without a number', 'ooo-send-numbered', [asks('SEND_ONLY', 0, { payload: payload(16) })]],
    ['a number that is skipped', 'ooo-send-numbered', [send(0, 0), send(1, 2)]],
    ['another number within a SEND', 'ooo-send-numbered', [first, { ...last, ooeth: numbered(1, 256) }]],
    [
      'a WRITE with a number',
      'ooo-others-unnumbered',
      [
        asks('RDMA_WRITE_ONLY', 0, {
          ooeth: numbered(0),
          reth: { ...whole, dmaLen: 16 },
          payload: payload(16),
        }),
      ],
    ],
    ['a READ without a number', 'ooo-read-numbered', [{ ...read, ooeth: placed(0) }]],
    ['a READ with the number of the one before', 'ooo-read-numbered', [read, { ...read, psn: 1 }]],
    [
      'a SEND with the number of a READ',
      'ooo-not-read-unnumbered',
      [asks('SEND_ONLY', 0, { ooeth: { ...numbered(0), flags: 3 }, payload: payload(16) })],
    ],
    [
      'an offset that goes on from nowhere',
      'ooo-request-offset',
      [first, { ...last, ooeth: numbered(0, 512) }],
    ],
    ['an offset in packets', 'ooo-request-offset', [{ ...last, ooeth: numbered(0, 1) }]],
    [
      'another address within a WRITE',
      'ooo-write-addressed',
      [
        writes[0] ?? first,
        asks('RDMA_WRITE_LAST', 1, {
          ooeth: placed(256),
          reth: { ...whole, va: 0x1100n },
          payload: payload(44),
        }),
      ],
    ],
    [
      'a WRITE that ends early',
      'ooo-request-length',
      [asks('RDMA_WRITE_ONLY', 0, { reth: whole, payload: payload(200) })],
    ],
    [
      'a READ again for the rest',
      'ooo-read-addressed',
      [send(0, 0), { ...read, psn: 1 }, { ...read, psn: 1, reth: { ...whole, va: 0x1100n, dmaLen: 44 } }],
    ],
    [
      'a Middle behind an Only',
      'ooo-request-opcode',
      [send(0, 0), asks('SEND_MIDDLE', 1, { ooeth: numbered(1, 256), payload: payload(256) })],
    ],
    [
      'a NAK PSN sequence error',
      'ooo-no-sequence-nak',
      [answers('ACKNOWLEDGE', 3, { aeth: aeth(1, 0x60), saeth: { flags: 0, trigger: 5 } })],
    ],
    [
      'a selective Acknowledge of what it acknowledges anyway',
      'ooo-ack-names-early',
      [ack(4, 1, 4, saethFlags.selective)],
    ],
    ['an MSN that falls', 'ooo-response-msn', [send(0, 0), send(1, 1), ack(0, 1), ack(1, 0)]],
    ['a response with the number of another READ', 'ooo-answer-numbered', [read, part('FIRST', 0, 256, 4)]],
    ['a response beyond its READ', 'ooo-answer-numbered', [read, part('LAST', 256, 64)]],
    ['an answer to a SEND', 'ooo-answer-numbered', [send(0, 0), part('ONLY', 0, 16)]],
  ];
  it.each(faults)('%s breaks %s', (_, rule, packets) => {
    const { violations } = judged(frames(packets), undefined, ooo);
    expect(violations.map((one) => one.rule)).toEqual([rule]);
  });

  it('are not judged unless that is asked for', () => {
    const { violations, notJudged } = judged(frames([send(0, 0), send(1, 2)]));
    expect(violations).toEqual([]);
    expect([...notJudged.keys()]).toEqual(['ORC packets']);
  });

  it('are in doubt where another connection may have begun with the same PSN', () => {
    const packets = frames([send(0, 0), send(1, 1), send(0, 0), send(1, 0)]);
    const { violations, inconclusive } = judged(packets, undefined, ooo);
    expect(violations).toEqual([]);
    expect(inconclusive).toEqual([
      expect.stringMatching(/ooo-send-numbered is broken, or the QP has been connected anew/),
    ]);
  });
});
