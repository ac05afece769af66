import { u32 } from '../bytes.ts';
import { optionText, readInterface, readOptions, stampToTime } from './interfaces.ts';
import type { CaptureInterface } from './interfaces.ts';
import { bigEndian, littleEndian } from './order.ts';
import type { ByteOrder } from './order.ts';
import { maxPacketBytes } from './read-pcap.ts';
import type { ByteSource } from './source.ts';
import { damage } from './types.ts';
import type { CaptureDamage, CaptureFrame, CaptureReader, CaptureRecord } from './types.ts';

const sectionHeader = 0x0a0d0d0a;
const byteOrderMagic = 0x1a2b3c4d;
const blockTypes = { interface: 1, obsoletePacket: 2, simplePacket: 3, enhancedPacket: 6 };
/** room for a packet, its options and comments */
const maxBlockBytes = maxPacketBytes + 0x1000000;

/** True if a file that begins with these four bytes is a pcapng file. */
export function isPcapng(magic: Uint8Array): boolean {
  return magic.length >= 4 && u32(magic, 0) === sectionHeader;
}

/** What holds within one section. */
interface Section {
  order: ByteOrder;
  interfaces: CaptureInterface[];
}

/** Where the body of a block lies in `bytes`: without type and the two lengths. `offset` is that of the block. */
interface Block {
  type: number;
  offset: number;
  bytes: Uint8Array;
  at: number;
  end: number;
}

/** Least bytes in the body of a block type. */
const leastBody = new Map([
  [sectionHeader, 16],
  [blockTypes.interface, 8],
  [blockTypes.obsoletePacket, 20],
  [blockTypes.simplePacket, 4],
  [blockTypes.enhancedPacket, 20],
]);

/** Byte order by the magic that begins the body of a section header. */
function orderOf(bytes: Uint8Array, at: number): ByteOrder | undefined {
  return [littleEndian, bigEndian].find((order) => order.u32(bytes, at) === byteOrderMagic);
}

/**
 * Packets of a pcapng file: enhanced, simple and the obsolete packet blocks, any number of sections and interfaces,
 * both byte orders, every time resolution. Other blocks (names, statistics, custom) are passed over.
 */
export class PcapngReader implements CaptureReader {
  private readonly source: ByteSource;
  private section: Section = { order: littleEndian, interfaces: [] };
  private number = 0;
  private time = 0n;

  constructor(source: ByteSource) {
    this.source = source;
  }

  next(): CaptureRecord | undefined {
    for (;;) {
      const block = this.nextBlock();
      if (block === undefined || 'kind' in block) return block;
      const record = this.read(block);
      if (record !== undefined) return record;
    }
  }

  /** Takes the next block; undefined at the end of the file. */
  private nextBlock(): Block | CaptureDamage | undefined {
    const { source } = this;
    const { offset } = source;
    if (!source.has(12)) {
      return source.left === 0
        ? undefined
        : damage(offset, `a block needs at least 12 bytes, ${source.left} are left`);
    }
    // The type of a section header is the same in both orders, and what follows it says which of them holds now.
    if (u32(source.bytes, source.at) === sectionHeader) {
      const order = orderOf(source.bytes, source.at + 8);
      if (order === undefined) return damage(offset, 'a section header without its byte-order magic');
      this.section = { order, interfaces: [] };
    }
    const { order } = this.section;
    const type = order.u32(source.bytes, source.at);
    const length = order.u32(source.bytes, source.at + 4);
    if (length < 12 || length % 4 !== 0 || length > maxBlockBytes) {
      return damage(offset, `a block of type ${type} with a length of ${length} bytes`);
    }
    if (!source.has(length)) {
      return damage(offset, `a block of type ${type} announces ${length} bytes, ${source.left} are left`);
    }
    const { bytes, at } = source;
    const end = at + length - 4;
    const trailer = order.u32(bytes, end);
    if (trailer !== length) {
      return damage(
        offset,
        `a block of type ${type} has the lengths ${length} and ${trailer} at its two ends`,
      );
    }
    if (length - 12 < (leastBody.get(type) ?? 0)) {
      return damage(offset, `a block of type ${type} with only ${length - 12} bytes in it`);
    }
    source.at = at + length;
    return { type, offset, bytes, at: at + 8, end };
  }

  private read(block: Block): CaptureRecord | undefined {
    const { bytes, at, end, offset } = block;
    const { order, interfaces } = this.section;
    switch (block.type) {
      case sectionHeader: {
        const major = order.u16(bytes, at + 4);
        return major === 1 ? undefined : damage(offset, `pcapng version ${major}, only 1 is known`);
      }
      case blockTypes.interface: {
        const found = readInterface(bytes.subarray(at, end), order);
        if (found === undefined)
          return damage(offset, 'an interface description whose options run over its end');
        interfaces.push(found);
        return undefined;
      }
      case blockTypes.enhancedPacket:
        return this.readPacket(block, order.u32(bytes, at));
      case blockTypes.obsoletePacket:
        return this.readPacket(block, order.u16(bytes, at));
      case blockTypes.simplePacket:
        return this.readSimplePacket(block);
      default:
        return undefined;
    }
  }

  private readPacket({ bytes, at, end, offset }: Block, index: number): CaptureRecord {
    const { order, interfaces } = this.section;
    const number = ++this.number;
    const via = interfaces[index];
    if (via === undefined) {
      return damage(offset, `packet ${number} names interface ${index}, which is not described`);
    }
    const length = order.u32(bytes, at + 12);
    const dataAt = at + 20;
    if (length > end - dataAt) {
      return damage(offset, `packet ${number} announces ${length} bytes, its block holds ${end - dataAt}`);
    }
    const comments: string[] = [];
    const optionsAt = dataAt + ((length + 3) & ~3);
    if (optionsAt < end) {
      const options = readOptions(bytes, optionsAt, end, order);
      if (options === undefined)
        return damage(offset, `options of packet ${number} run over its block's end`);
      for (const option of options) if (option.code === 1) comments.push(optionText(option));
    }
    this.time = stampToTime(via, order.u32(bytes, at + 4), order.u32(bytes, at + 8));
    const originalLength = Math.max(order.u32(bytes, at + 16), length);
    return this.frame(via, index, bytes.subarray(dataAt, dataAt + length), originalLength, comments);
  }

  private readSimplePacket({ bytes, at, end, offset }: Block): CaptureRecord {
    const number = ++this.number;
    const via = this.section.interfaces[0];
    if (via === undefined) return damage(offset, `packet ${number} comes before any interface description`);
    const originalLength = this.section.order.u32(bytes, at);
    const length = via.snaplen === 0 ? originalLength : Math.min(originalLength, via.snaplen);
    const dataAt = at + 4;
    if (length > end - dataAt) {
      return damage(offset, `packet ${number} announces ${length} bytes, its block holds ${end - dataAt}`);
    }
    return this.frame(via, 0, bytes.subarray(dataAt, dataAt + length), originalLength, []);
  }

  /** The packet counted last, at the time stamped last. */
  private frame(
    via: CaptureInterface,
    index: number,
    data: Uint8Array,
    originalLength: number,
    comments: string[],
  ): CaptureFrame {
    const { number, time } = this;
    const { linktype, name } = via;
    const kind = 'frame';
    if (name === undefined)
      return { kind, number, time, interface: index, linktype, data, originalLength, comments };
    return {
      kind,
      number,
      time,
      interface: index,
      interfaceName: name,
      linktype,
      data,
      originalLength,
      comments,
    };
  }
}
