import { bigEndian, littleEndian } from './order.ts';
import { linktypes } from './linktype.ts';
import { joinBytes } from './source.ts';
import type { CapturedPacket } from './types.ts';

/** How a pcap file is written. */
export interface PcapOptions {
  /** default 'little' */
  order?: 'big' | 'little';
  /** unit of the stamps, default 'ns' */
  stamps?: 'us' | 'ns';
  /** default 262144; longer packets are cut to it */
  snaplen?: number;
  /** default 1, Ethernet */
  linktype?: number;
}

/** A whole pcap file. Comments and interfaces have no place in it and are left out. */
export function writePcap(packets: Iterable<CapturedPacket>, options: PcapOptions = {}): Uint8Array {
  const order = options.order === 'big' ? bigEndian : littleEndian;
  const micro = options.stamps === 'us';
  const snaplen = options.snaplen ?? 262_144;
  const header = new Uint8Array(24);
  order.putU32(header, 0, micro ? 0xa1b2c3d4 : 0xa1b23c4d);
  order.putU16(header, 4, 2);
  order.putU16(header, 6, 4);
  order.putU32(header, 16, snaplen);
  order.putU32(header, 20, options.linktype ?? linktypes.ethernet);
  const parts = [header];
  for (const { time, data, originalLength } of packets) {
    const kept = data.subarray(0, snaplen);
    const record = new Uint8Array(16 + kept.length);
    order.putU32(record, 0, Number(time / 1_000_000_000n));
    order.putU32(record, 4, Number((time % 1_000_000_000n) / (micro ? 1000n : 1n)));
    order.putU32(record, 8, kept.length);
    order.putU32(record, 12, originalLength ?? data.length);
    record.set(kept, 16);
    parts.push(record);
  }
  return joinBytes(parts);
}
