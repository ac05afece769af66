import { closeSync, openSync, writeSync } from 'node:fs';
import { linktypes } from './linktype.ts';
import { bigEndian, littleEndian } from './order.ts';
import type { ByteOrder } from './order.ts';
import { joinBytes } from './source.ts';
import type { CapturedPacket } from './types.ts';

/** One interface of a pcapng section. */
export interface PcapngInterface {
  name?: string;
  /** default 1, Ethernet */
  linktype?: number;
  /** 0 (default): no limit; longer packets are cut to it */
  snaplen?: number;
  /** if_tsresol byte: negative power of ten, or of two with bit 7 set; default 9, nanoseconds */
  tsresol?: number;
}

/** How a pcapng file is written. */
export interface PcapngOptions {
  /** default 'little' */
  order?: 'big' | 'little';
  /** default: one Ethernet interface */
  interfaces?: readonly PcapngInterface[];
  /** program that wrote the file */
  application?: string;
  comment?: string;
}

const text = new TextEncoder();
const padded = (length: number): number => (length + 3) & ~3;

/** Makes the blocks of one pcapng section: `header()` first, then `packet()` for each packet. */
export class PcapngBlocks {
  private readonly order: ByteOrder;
  private readonly options: PcapngOptions;
  private readonly interfaces: readonly PcapngInterface[];

  constructor(options: PcapngOptions = {}) {
    this.order = options.order === 'big' ? bigEndian : littleEndian;
    this.options = options;
    this.interfaces = options.interfaces ?? [{}];
  }

  /** Section header and interface descriptions. */
  header(): Uint8Array {
    const { order, options } = this;
    const section = new Uint8Array(16);
    order.putU32(section, 0, 0x1a2b3c4d);
    order.putU16(section, 4, 1);
    section.fill(0xff, 8);
    const about: [number, Uint8Array][] = [];
    if (options.comment !== undefined) about.push([1, text.encode(options.comment)]);
    if (options.application !== undefined) about.push([4, text.encode(options.application)]);
    const blocks = [this.block(0x0a0d0d0a, section, about)];
    for (const { name, linktype, snaplen, tsresol } of this.interfaces) {
      const body = new Uint8Array(8);
      order.putU16(body, 0, linktype ?? linktypes.ethernet);
      order.putU32(body, 4, snaplen ?? 0);
      const properties: [number, Uint8Array][] = [[9, Uint8Array.of(tsresol ?? 9)]];
      if (name !== undefined) properties.unshift([2, text.encode(name)]);
      blocks.push(this.block(1, body, properties));
    }
    return joinBytes(blocks);
  }

  /** Enhanced packet block. RangeError if the packet names an interface that the header does not describe. */
  packet(packet: CapturedPacket): Uint8Array {
    const { order } = this;
    const index = packet.interface ?? 0;
    const via = this.interfaces[index];
    if (via === undefined) throw new RangeError(`interface ${index} of ${this.interfaces.length}`);
    const limit = via.snaplen ?? 0;
    const data = limit === 0 ? packet.data : packet.data.subarray(0, limit);
    const stamp = timeToStamp(packet.time, via.tsresol ?? 9);
    const body = new Uint8Array(20 + data.length);
    order.putU32(body, 0, index);
    order.putU32(body, 4, Number(stamp >> 32n));
    order.putU32(body, 8, Number(stamp & 0xffffffffn));
    order.putU32(body, 12, data.length);
    order.putU32(body, 16, packet.originalLength ?? packet.data.length);
    body.set(data, 20);
    const comments = packet.comments ?? [];
    return this.block(
      6,
      body,
      comments.map((comment) => [1, text.encode(comment).subarray(0, 0xffff)]),
    );
  }

  private block(type: number, body: Uint8Array, options: readonly [number, Uint8Array][]): Uint8Array {
    const { order } = this;
    const optionBytes = options.reduce(
      (n, [, value]) => n + 4 + padded(value.length),
      options.length > 0 ? 4 : 0,
    );
    const length = 12 + padded(body.length) + optionBytes;
    const bytes = new Uint8Array(length);
    order.putU32(bytes, 0, type);
    order.putU32(bytes, 4, length);
    bytes.set(body, 8);
    let at = 8 + padded(body.length);
    for (const [code, value] of options) {
      order.putU16(bytes, at, code);
      order.putU16(bytes, at + 2, value.length);
      bytes.set(value, at + 4);
      at += 4 + padded(value.length);
    }
    order.putU32(bytes, length - 4, length);
    return bytes;
  }
}

/** Stamp in units of `tsresol`, rounded down. */
function timeToStamp(time: bigint, tsresol: number): bigint {
  const exponent = BigInt(tsresol & 0x7f);
  const perSecond = (tsresol & 0x80) === 0 ? 10n ** exponent : 1n << exponent;
  return BigInt.asUintN(64, (time * perSecond) / 1_000_000_000n);
}

/** A whole pcapng file of one section. */
export function writePcapng(packets: Iterable<CapturedPacket>, options: PcapngOptions = {}): Uint8Array {
  const blocks = new PcapngBlocks(options);
  const parts = [blocks.header()];
  for (const packet of packets) parts.push(blocks.packet(packet));
  return joinBytes(parts);
}

/** A pcapng file that grows packet by packet; complete after every append. Throws what `fs` throws. */
export class PcapngFile {
  private readonly blocks: PcapngBlocks;
  private readonly file: number;

  constructor(path: string, options: PcapngOptions = {}) {
    this.blocks = new PcapngBlocks(options);
    this.file = openSync(path, 'w');
    writeSync(this.file, this.blocks.header());
  }

  append(packet: CapturedPacket): void {
    writeSync(this.file, this.blocks.packet(packet));
  }

  close(): void {
    closeSync(this.file);
  }
}
