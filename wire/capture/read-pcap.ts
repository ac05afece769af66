import { u32 } from '../bytes.ts';
import { bigEndian, littleEndian } from './order.ts';
import type { ByteOrder } from './order.ts';
import type { ByteSource } from './source.ts';
import { damage } from './types.ts';
import type { CaptureRecord } from './types.ts';

/** Longest packet believed to be one; Wireshark's own limit for most link types is 256 KiB. */
export const maxPacketBytes = 0x1000000;

interface PcapFormat {
  order: ByteOrder;
  /** nanoseconds per unit of the second stamp field */
  unit: bigint;
}

/** Byte order and stamp unit by the first four bytes, read big-endian. */
const formats: ReadonlyMap<number, PcapFormat> = new Map([
  [0xa1b2c3d4, { order: bigEndian, unit: 1000n }],
  [0xd4c3b2a1, { order: littleEndian, unit: 1000n }],
  [0xa1b23c4d, { order: bigEndian, unit: 1n }],
  [0x4d3cb2a1, { order: littleEndian, unit: 1n }],
]);

/** True if a file that begins with these four bytes is a pcap file. */
export function isPcap(magic: Uint8Array): boolean {
  return magic.length >= 4 && formats.has(u32(magic, 0));
}

/** Packets of a classic pcap file: both byte orders, micro- and nanosecond stamps. */
export function* readPcap(source: ByteSource): Generator<CaptureRecord> {
  const header = source.take(24);
  const format = header.length < 4 ? undefined : formats.get(u32(header, 0));
  if (format === undefined) return yield damage(0, 'no pcap file');
  if (header.length < 24) return yield damage(0, `the file header needs 24 bytes, ${header.length} are left`);
  const { order, unit } = format;
  const version = order.u16(header, 4);
  if (version !== 2) return yield damage(4, `pcap version ${version}, only 2 is known`);
  // The upper half tells of a frame check sequence, which lies behind the IP packet and does not matter here.
  const linktype = order.u32(header, 20) & 0xffff;
  for (let number = 1; ; number++) {
    const offset = source.offset;
    const record = source.take(16);
    if (record.length === 0) return;
    if (record.length < 16) {
      return yield damage(offset, `a packet header needs 16 bytes, ${record.length} are left`);
    }
    const length = order.u32(record, 8);
    const seconds = BigInt(order.u32(record, 0));
    const time = seconds * 1_000_000_000n + BigInt(order.u32(record, 4)) * unit;
    const originalLength = order.u32(record, 12);
    if (length > maxPacketBytes) return yield damage(offset, `a packet of ${length} bytes`);
    const data = source.take(length);
    if (data.length < length) {
      return yield damage(offset, `packet ${number} announces ${length} bytes, ${data.length} are left`);
    }
    yield {
      kind: 'frame',
      number,
      time,
      interface: 0,
      linktype,
      data,
      originalLength: Math.max(originalLength, length),
      comments: [],
    };
  }
}
