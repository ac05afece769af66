import { u32 } from '../bytes.ts';
import { bigEndian, littleEndian } from './order.ts';
import type { ByteOrder } from './order.ts';
import type { ByteSource } from './source.ts';
import { secondsToTime } from './stamp.ts';
import { damage } from './types.ts';
import type { CaptureDamage, CaptureReader, CaptureRecord } from './types.ts';

/** Longest packet believed to be one; Wireshark's own limit for most link types is 256 KiB. */
export const maxPacketBytes = 0x1000000;

interface PcapFormat {
  order: ByteOrder;
  /** nanoseconds per unit of the second stamp field */
  unit: number;
}

/** Byte order and stamp unit by the first four bytes, read big-endian. */
const formats: ReadonlyMap<number, PcapFormat> = new Map([
  [0xa1b2c3d4, { order: bigEndian, unit: 1000 }],
  [0xd4c3b2a1, { order: littleEndian, unit: 1000 }],
  [0xa1b23c4d, { order: bigEndian, unit: 1 }],
  [0x4d3cb2a1, { order: littleEndian, unit: 1 }],
]);

/** True if a file that begins with these four bytes is a pcap file. */
export function isPcap(magic: Uint8Array): boolean {
  return magic.length >= 4 && formats.has(u32(magic, 0));
}

/** Packets of a classic pcap file: both byte orders, micro- and nanosecond stamps. */
export class PcapReader implements CaptureReader {
  private readonly source: ByteSource;
  private format: PcapFormat | undefined;
  private linktype = 0;
  private number = 0;

  constructor(source: ByteSource) {
    this.source = source;
  }

  next(): CaptureRecord | undefined {
    const { source } = this;
    if (this.format === undefined) {
      const damaged = this.readHeader();
      if (damaged !== undefined) return damaged;
    }
    const { order, unit } = this.format!;
    const { offset } = source;
    if (!source.has(16)) {
      if (source.left === 0) return undefined;
      return damage(offset, `a packet header needs 16 bytes, ${source.left} are left`);
    }
    this.number++;
    const length = order.u32(source.bytes, source.at + 8);
    if (length > maxPacketBytes) return damage(offset, `a packet of ${length} bytes`);
    if (!source.has(16 + length)) {
      return damage(offset, `packet ${this.number} announces ${length} bytes, ${source.left - 16} are left`);
    }
    const { bytes, at } = source;
    source.at = at + 16 + length;
    return {
      kind: 'frame',
      number: this.number,
      time: secondsToTime(order.u32(bytes, at), order.u32(bytes, at + 4) * unit),
      interface: 0,
      linktype: this.linktype,
      data: bytes.subarray(at + 16, at + 16 + length),
      originalLength: Math.max(order.u32(bytes, at + 12), length),
      comments: [],
    };
  }

  private readHeader(): CaptureDamage | undefined {
    const { source } = this;
    if (!source.has(24)) return damage(0, `the file header needs 24 bytes, ${source.left} are left`);
    const { bytes, at } = source;
    const format = formats.get(u32(bytes, at));
    if (format === undefined) return damage(0, 'no pcap file');
    const version = format.order.u16(bytes, at + 4);
    if (version !== 2) return damage(4, `pcap version ${version}, only 2 is known`);
    this.format = format;
    // The upper half tells of a frame check sequence, which lies behind the IP packet and does not matter here.
    this.linktype = format.order.u32(bytes, at + 20) & 0xffff;
    source.at += 24;
    return undefined;
  }
}
