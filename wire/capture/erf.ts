import { u16 } from '../bytes.ts';

/** ERF record types that hold Ethernet: plain, with a colour, with a hash. */
const ethernetTypes: ReadonlySet<number> = new Set([2, 11, 16, 20]);
const mostExtensions = 16;

/**
 * Where the Ethernet frame of an ERF record begins (link type 197): behind stamp, type, flags, lengths (16 bytes), extension headers of eight
 * bytes each, as long as bit 7 of the one before it says so, and two bytes of offset. -1 if it is of another type.
 */
export function erfEthernetAt(data: Uint8Array): number {
  const type = data[8] ?? 0;
  if (!ethernetTypes.has(type & 0x7f)) return -1;
  let at = 16;
  let more = (type & 0x80) !== 0;
  for (let n = 0; more && n < mostExtensions; n++) {
    more = ((data[at] ?? 0) & 0x80) !== 0;
    at += 8;
  }
  return at + 2;
}

/** Bytes that the frame of an ERF record had on the wire, its check sequence included. */
export function erfWireLength(data: Uint8Array): number {
  return u16(data, 14);
}
