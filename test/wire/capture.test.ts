import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCaptured, encode, PcapngFile, readCapture, writePcap, writePcapng } from '../../wire/index.ts';
import type { CapturedPacket, CaptureFrame, CaptureRecord } from '../../wire/index.ts';
import { dissect, tsharkMissing } from './tshark.ts';

const frame = encode({ opcode: 0x04, destQp: 0x12, psn: 100, payload: Uint8Array.of(1, 2, 3) });
const orders = ['little', 'big'] as const;
const start = 1_700_000_000_123_456_789n;

function framesOf(file: Uint8Array): CaptureFrame[] {
  return [...readCapture([file])].map((record) => {
    if (record.kind === 'damage') throw new Error(record.message);
    return record;
  });
}

/** What one packet gives back: as much as its file format can say. */
function essence(p: CapturedPacket): unknown[] {
  return [p.time, Array.from(p.data), p.originalLength ?? p.data.length, p.interface ?? 0, p.comments ?? []];
}

const packets: CapturedPacket[] = [
  { time: start, data: frame },
  { time: start + 1n, data: frame.subarray(0, 50), originalLength: frame.length, interface: 1 },
  { time: start + 2_000_000_000n, data: frame.subarray(0, 61), comments: ['one', 'zwei: fünf ✓', ''] },
  { time: start + 2_000_000_001n, data: new Uint8Array(0), interface: 1, comments: ['empty'] },
];

describe.each(orders)('pcap, %s endian', (order) => {
  it.each(['us', 'ns'] as const)('comes back with its stamps in %s', (stamps) => {
    const unit = stamps === 'us' ? 1000n : 1n;
    const back = framesOf(writePcap(packets, { order, stamps }));
    expect(back.map(essence)).toEqual(
      packets.map((p) => essence({ ...p, time: (p.time / unit) * unit, interface: 0, comments: [] })),
    );
    expect(back.map((f) => f.number)).toEqual([1, 2, 3, 4]);
  });

  it('cuts packets to the snap length and keeps their original length', () => {
    const [first] = framesOf(writePcap(packets, { order, snaplen: 40, linktype: 101 }));
    expect([first?.data.length, first?.originalLength, first?.linktype]).toEqual([40, frame.length, 101]);
  });
});

describe.each(orders)('pcapng, %s endian', (order) => {
  const interfaces = [{ name: 'eth0' }, { name: 'tap1', linktype: 113, snaplen: 55 }];

  it('comes back with interfaces, comments and lengths', () => {
    const back = framesOf(writePcapng(packets, { order, interfaces, application: 'test', comment: 'all' }));
    expect(back.map(essence)).toEqual(packets.map(essence));
    expect(back.map((f) => [f.interfaceName, f.linktype])).toEqual([
      ['eth0', 1],
      ['tap1', 113],
      ['eth0', 1],
      ['tap1', 113],
    ]);
  });

  it.each<[string, number, (time: bigint) => bigint]>([
    ['seconds', 0, (t) => (t / 1_000_000_000n) * 1_000_000_000n],
    ['milliseconds', 3, (t) => (t / 1_000_000n) * 1_000_000n],
    ['microseconds', 6, (t) => (t / 1000n) * 1000n],
    ['nanoseconds', 9, (t) => t],
    ['tenths of nanoseconds', 10, (t) => t],
    ['2^-20 s', 0x80 | 20, (t) => (((t << 20n) / 1_000_000_000n) * 1_000_000_000n) >> 20n],
    ['2^-32 s', 0x80 | 32, (t) => (((t << 32n) / 1_000_000_000n) * 1_000_000_000n) >> 32n],
  ])('keeps stamps in %s', (_unit, tsresol, rounded) => {
    const back = framesOf(writePcapng(packets, { order, interfaces: [{ tsresol }, { tsresol }] }));
    expect(back.map((f) => f.time)).toEqual(packets.map((p) => rounded(p.time)));
  });

  it('reads sections one behind the other, of either byte order', () => {
    const other = order === 'big' ? 'little' : 'big';
    const one = writePcapng(packets.slice(0, 1), { order, interfaces });
    const two = writePcapng(packets.slice(0, 1), { order: other, interfaces: [{ name: 'again' }] });
    const back = framesOf(Uint8Array.from([...one, ...two]));
    expect(back.map((f) => [f.number, f.interfaceName])).toEqual([
      [1, 'eth0'],
      [2, 'again'],
    ]);
  });
});

/** A block of a little-endian pcapng file. */
function block(type: number, body: readonly number[]): number[] {
  const word = (n: number): number[] => [n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >> 24) & 255];
  return [...word(type), ...word(body.length + 12), ...body, ...word(body.length + 12)];
}

describe('pcapng blocks that the writer does not make', () => {
  const head = [...writePcapng([], { interfaces: [{ snaplen: 4 }] })];

  it('reads simple packets, cut to the snap length, and obsolete packets; passes over the rest', () => {
    const simple = block(3, [6, 0, 0, 0, 9, 8, 7, 6]);
    const obsolete = block(2, [0, 0, 255, 255, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0]);
    const names = block(4, [0, 0, 0, 0]);
    const back = framesOf(Uint8Array.from([...head, ...obsolete, ...names, ...simple]));
    expect(back.map(essence)).toEqual([
      [7n, [5], 2, 0, []],
      [7n, [9, 8, 7, 6], 6, 0, []],
    ]);
  });

  it("adds the interface's time offset", () => {
    const header = head.slice(0, 28);
    const offset = block(
      1,
      [1, 0, 0, 0, 0, 0, 0, 0, 14, 0, 8, 0, 254, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0],
    );
    const packet = block(6, [0, 0, 0, 0, 0, 0, 0, 0, 64, 66, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(framesOf(Uint8Array.from([...header, ...offset, ...packet])).map((f) => f.time)).toEqual([
      -1_000_000_000n,
    ]);
  });
});

describe('streaming', () => {
  it('reads the same from chunks of any size', () => {
    const file = writePcapng(packets, { interfaces: [{ name: 'a' }, { name: 'b' }] });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), (size) => {
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < file.length; at += size) chunks.push(file.subarray(at, at + size));
        expect([...readCapture(chunks)]).toEqual(framesOf(file));
      }),
    );
  });

  it('reads a file from its path, larger than a chunk, and appends to one', () => {
    const directory = mkdtempSync(join(tmpdir(), 'rdma-conform-'));
    try {
      const path = join(directory, 'grown.pcapng');
      const writer = new PcapngFile(path);
      const data = new Uint8Array(9000).fill(7);
      for (let n = 0; n < 100; n++) writer.append({ time: BigInt(n), data, comments: [`number ${n + 1}`] });
      writer.close();
      const back = [...readCapture(path)];
      expect(back).toHaveLength(100);
      expect(back[99]).toMatchObject({
        kind: 'frame',
        number: 100,
        time: 99n,
        comments: ['number 100'],
        data,
      });
      expect(() => [...readCapture(join(directory, 'none'))]).toThrow(/ENOENT/);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('a damaged file', () => {
  const two = packets.slice(0, 1).concat(packets.slice(0, 1));
  const pcap = writePcap(two);
  const pcapng = writePcapng(two);
  const second = (pcapng.length + writePcapng([]).length) / 2;

  /** The file with some bytes replaced. */
  function altered(file: Uint8Array, changes: Record<number, number>): Uint8Array {
    const copy = Uint8Array.from(file);
    for (const [at, value] of Object.entries(changes)) copy[Number(at)] = value;
    return copy;
  }

  it.each<[string, Uint8Array, number, number, RegExp]>([
    ['empty', new Uint8Array(0), 0, 0, /empty/],
    [
      'text',
      new TextEncoder().encode('hello'),
      0,
      0,
      /neither pcap nor pcapng \(it begins with 68 65 6c 6c\)/,
    ],
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0), 0, 0, /gzip/],
    ['pcap cut in its header', pcap.subarray(0, 20), 0, 0, /24 bytes, 20 are left/],
    ['pcap of another version', altered(pcap, { 4: 9 }), 0, 4, /version 9/],
    [
      'pcap cut in a packet header',
      pcap.subarray(0, 24 + 16 + frame.length + 5),
      1,
      40 + frame.length,
      /16 bytes, 5/,
    ],
    ['pcap cut in a packet', pcap.subarray(0, pcap.length - 1), 1, 40 + frame.length, /packet 2 announces/],
    [
      'pcap with an absurd length',
      altered(pcap, { [40 + frame.length + 11]: 0x7f }),
      1,
      40 + frame.length,
      /a packet of/,
    ],
    ['pcapng cut in a block', pcapng.subarray(0, pcapng.length - 3), 1, second, /announces/],
    ['pcapng cut between', pcapng.subarray(0, second + 5), 1, second, /12 bytes, 5 are left/],
    ['pcapng with unequal lengths', altered(pcapng, { [pcapng.length - 4]: 0 }), 1, second, /lengths/],
    ['pcapng with an odd length', altered(pcapng, { [second + 4]: 3 }), 1, second, /length of 3/],
    ['pcapng with an unknown interface', altered(pcapng, { [second + 8]: 4 }), 1, second, /interface 4/],
    [
      'pcapng packet longer than its block',
      altered(pcapng, { [second + 20]: 255 }),
      1,
      second,
      /announces 255/,
    ],
    ['pcapng without byte-order magic', altered(pcapng, { 8: 0 }), 0, 0, /byte-order magic/],
  ])('%s: what came before stands, and one line says where', (_name, file, before, offset, message) => {
    const records: CaptureRecord[] = [...readCapture([file])];
    expect(records.slice(0, -1).map((r) => r.kind)).toEqual(Array.from({ length: before }, () => 'frame'));
    const last = records.at(-1);
    expect(last).toMatchObject({ kind: 'damage', offset });
    expect(last?.kind === 'damage' && last.message).toMatch(message);
    expect(last?.kind === 'damage' && last.message).toContain(`byte ${offset}`);
  });

  it('never throws, wherever it is damaged', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(pcap, pcapng, writePcapng(packets, { interfaces: [{}, {}], order: 'big' })),
        fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(400),
        (file, changes, cut) => {
          const bytes = altered(file, Object.fromEntries(changes)).subarray(0, Math.max(cut, 30));
          const records = [...readCapture([bytes])];
          for (const record of records) if (record.kind === 'frame') decodeCaptured(record);
          expect(records.filter((r) => r.kind === 'damage').length).toBeLessThanOrEqual(1);
          expect(records.findIndex((r) => r.kind === 'damage')).toBeOneOf([-1, records.length - 1]);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('link types', () => {
  const v6 = encode({ opcode: 0x04, destQp: 0x12, psn: 100, srcIp: 'fd00::1' });
  const sll = [0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 9, 0, 0, 8, 0];
  const sll2 = [0x86, 0xdd, 0, 0, 0, 0, 0, 1, 0, 1, 0, 6, 2, 0, 0, 0, 0, 9, 0, 0];

  function captured(linktype: number, bytes: Iterable<number>, cut = 0): CaptureFrame {
    const data = Uint8Array.from(bytes);
    const kept = data.subarray(0, data.length - cut);
    const originalLength = data.length;
    return {
      kind: 'frame',
      number: 1,
      time: 0n,
      interface: 0,
      comments: [],
      linktype,
      data: kept,
      originalLength,
    };
  }

  it.each<[string, number, Iterable<number>, string]>([
    ['Ethernet', 1, frame, '02:00:00:00:00:01'],
    ['raw IP with IPv4', 101, frame.subarray(14), '00:00:00:00:00:00'],
    ['raw IP with IPv6', 101, v6.subarray(14), '00:00:00:00:00:00'],
    ['IPv6', 229, v6.subarray(14), '00:00:00:00:00:00'],
    ['Linux cooked', 113, [...sll, ...frame.subarray(14)], '02:00:00:00:00:09'],
    ['Linux cooked 2', 276, [...sll2, ...v6.subarray(14)], '02:00:00:00:00:09'],
  ])('%s', (_name, linktype, bytes, mac) => {
    const decoded = decodeCaptured(captured(linktype, bytes));
    expect(
      decoded.kind === 'packet' && [decoded.packet.psn, decoded.packet.icrcOk, decoded.packet.srcMac],
    ).toEqual([100, true, mac]);
    expect(decodeCaptured(captured(linktype, bytes, 4)).kind).toBe('truncated');
  });

  it('names a link type it does not know', () => {
    const decoded = decodeCaptured(captured(105, frame));
    expect(decoded.kind).toBe('not-roce');
    expect('reason' in decoded && decoded.reason).toMatch(/^link type 105/);
  });
});

describe.skipIf(tsharkMissing !== undefined)(
  `tshark reads what was written${tsharkMissing ? ` (${tsharkMissing})` : ''}`,
  () => {
    const columns = [
      'frame.time_epoch',
      'frame.len',
      'frame.cap_len',
      'frame.comment',
      'frame.interface_name',
    ] as const;

    it.each(orders)('pcapng, %s endian', (order) => {
      const rows = dissect(
        writePcapng(packets, { order, interfaces: [{ name: 'a' }, { name: 'b' }] }),
        columns,
      );
      expect(rows.map((row) => row['frame.time_epoch'][0])).toEqual([
        '1700000000.123456789',
        '1700000000.123456790',
        '1700000002.123456789',
        '1700000002.123456790',
      ]);
      expect(rows.map((row) => row['frame.interface_name'][0])).toEqual(['a', 'b', 'a', 'b']);
      expect(rows.map((row) => Number(row['frame.len'][0]))).toEqual([frame.length, frame.length, 61, 0]);
      expect(rows.map((row) => Number(row['frame.cap_len'][0]))).toEqual([frame.length, 50, 61, 0]);
      expect(rows[2]?.['frame.comment'].slice(0, 2)).toEqual(['one', 'zwei: fünf ✓']);
    });

    it.each(orders)('pcap, %s endian', (order) => {
      const rows = dissect(writePcap(packets, { order, stamps: 'us' }), columns);
      expect(rows.map((row) => row['frame.time_epoch'][0])).toContain('1700000002.123456000');
      expect(rows.map((row) => Number(row['frame.cap_len'][0]))).toEqual([frame.length, 50, 61, 0]);
    });
  },
);
