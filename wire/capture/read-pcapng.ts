import { u32 } from '../bytes.ts';
import { optionText, readInterface, readOptions, stampToTime } from './interfaces.ts';
import type { CaptureInterface } from './interfaces.ts';
import { bigEndian, littleEndian } from './order.ts';
import type { ByteOrder } from './order.ts';
import { maxPacketBytes } from './read-pcap.ts';
import type { ByteSource } from './source.ts';
import { damage } from './types.ts';
import type { CaptureDamage, CaptureFrame, CaptureRecord } from './types.ts';

const sectionHeader = 0x0a0d0d0a;
const byteOrderMagic = 0x1a2b3c4d;
const blockTypes = { interface: 1, obsoletePacket: 2, simplePacket: 3, enhancedPacket: 6 };
/** room for a packet, its options and comments */
const maxBlockBytes = maxPacketBytes + 0x1000000;

/** True if a file that begins with these four bytes is a pcapng file. */
export function isPcapng(magic: Uint8Array): boolean {
  return magic.length >= 4 && u32(magic, 0) === sectionHeader;
}

interface Block {
  type: number;
  offset: number;
  /** without type and the two lengths */
  body: Uint8Array;
}

/** What holds within one section. */
interface Section {
  order: ByteOrder;
  interfaces: CaptureInterface[];
}

/**
 * Packets of a pcapng file: enhanced, simple and the obsolete packet blocks, any number of sections and interfaces,
 * both byte orders, every time resolution. Other blocks (names, statistics, custom) are passed over.
 */
export function* readPcapng(source: ByteSource): Generator<CaptureRecord> {
  let section: Section = { order: littleEndian, interfaces: [] };
  let number = 0;
  let time = 0n;
  for (;;) {
    const block = nextBlock(source, section);
    if (block === undefined) return;
    if ('kind' in block) return yield block;
    if (block.type === sectionHeader)
      section = { order: orderOf(block.body) ?? section.order, interfaces: [] };
    const result = readBlock(block, section, number + 1, time);
    if (result === undefined) continue;
    if (result.kind === 'frame') ({ number, time } = result);
    yield result;
    if (result.kind === 'damage') return;
  }
}

/** Byte order by the magic that begins the body of a section header. */
function orderOf(magic: Uint8Array): ByteOrder | undefined {
  return [littleEndian, bigEndian].find((order) => order.u32(magic, 0) === byteOrderMagic);
}

/** The next block, `undefined` at the end of the file. */
function nextBlock(source: ByteSource, section: Section): Block | CaptureDamage | undefined {
  const offset = source.offset;
  const head = source.peek(12);
  if (head.length === 0) return undefined;
  if (head.length < 12) return damage(offset, `a block needs at least 12 bytes, ${head.length} are left`);
  let order: ByteOrder | undefined = section.order;
  if (isPcapng(head)) order = orderOf(head.subarray(8));
  if (order === undefined) return damage(offset, 'a section header without its byte-order magic');
  const type = order.u32(head, 0);
  const length = order.u32(head, 4);
  if (length < 12 || length % 4 !== 0 || length > maxBlockBytes) {
    return damage(offset, `a block of type ${type} with a length of ${length} bytes`);
  }
  const bytes = source.take(length);
  if (bytes.length < length) {
    return damage(offset, `a block of type ${type} announces ${length} bytes, ${bytes.length} are left`);
  }
  const trailer = order.u32(bytes, length - 4);
  if (trailer !== length) {
    return damage(offset, `a block of type ${type} has the lengths ${length} and ${trailer} at its two ends`);
  }
  return { type, offset, body: bytes.subarray(8, length - 4) };
}

function readBlock(
  block: Block,
  section: Section,
  number: number,
  lastTime: bigint,
): CaptureRecord | undefined {
  const { type, body, offset } = block;
  const { order, interfaces } = section;
  const need = { 1: 8, 2: 20, 3: 4, 6: 20, [sectionHeader]: 16 }[type] ?? 0;
  if (body.length < need)
    return damage(offset, `a block of type ${type} with only ${body.length} bytes in it`);
  switch (type) {
    case sectionHeader: {
      const major = order.u16(body, 4);
      return major === 1 ? undefined : damage(offset, `pcapng version ${major}, only 1 is known`);
    }
    case blockTypes.interface: {
      const found = readInterface(body, order);
      if (found === undefined)
        return damage(offset, 'an interface description whose options run over its end');
      interfaces.push(found);
      return undefined;
    }
    case blockTypes.enhancedPacket:
      return readPacket(block, section, { number, via: order.u32(body, 0) });
    case blockTypes.obsoletePacket:
      return readPacket(block, section, { number, via: order.u16(body, 0) });
    case blockTypes.simplePacket:
      return readSimplePacket(block, section, number, lastTime);
    default:
      return undefined;
  }
}

function readPacket(block: Block, section: Section, packet: { number: number; via: number }): CaptureRecord {
  const { body, offset } = block;
  const { order } = section;
  const via = section.interfaces[packet.via];
  if (via === undefined)
    return damage(offset, `packet ${packet.number} names interface ${packet.via}, which is not described`);
  const length = order.u32(body, 12);
  if (20 + length > body.length) {
    return damage(
      offset,
      `packet ${packet.number} announces ${length} bytes, its block holds ${body.length - 20}`,
    );
  }
  const optionsAt = 20 + ((length + 3) & ~3);
  const comments: string[] = [];
  if (optionsAt < body.length) {
    const options = readOptions(body, optionsAt, body.length, order);
    if (options === undefined)
      return damage(offset, `options of packet ${packet.number} run over its block's end`);
    for (const option of options) if (option.code === 1) comments.push(optionText(option));
  }
  return frameOf(via, {
    number: packet.number,
    time: stampToTime(via, order.u32(body, 4), order.u32(body, 8)),
    interface: packet.via,
    data: body.subarray(20, 20 + length),
    originalLength: Math.max(order.u32(body, 16), length),
    comments,
  });
}

function readSimplePacket(block: Block, section: Section, number: number, time: bigint): CaptureRecord {
  const via = section.interfaces[0];
  if (via === undefined)
    return damage(block.offset, `packet ${number} comes before any interface description`);
  const originalLength = section.order.u32(block.body, 0);
  const length = via.snaplen === 0 ? originalLength : Math.min(originalLength, via.snaplen);
  if (4 + length > block.body.length) {
    const room = block.body.length - 4;
    return damage(block.offset, `packet ${number} announces ${length} bytes, its block holds ${room}`);
  }
  const data = block.body.subarray(4, 4 + length);
  return frameOf(via, { number, time, interface: 0, data, originalLength, comments: [] });
}

function frameOf(
  via: CaptureInterface,
  packet: Omit<CaptureFrame, 'kind' | 'linktype' | 'interfaceName'>,
): CaptureFrame {
  const frame: CaptureFrame = { kind: 'frame', ...packet, linktype: via.linktype };
  if (via.name !== undefined) frame.interfaceName = via.name;
  return frame;
}
