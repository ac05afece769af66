import { u16 } from './bytes.ts';
import { crcRange, crcWord } from './crc.ts';
import { ipOffset } from './layout.ts';
import type { Packet } from './packet.ts';

// The register after the eight bytes of ones that stand for the absent LRH.
const afterLrh = 0xdebb20e3 | 0;

// Ones for what changes on the way, by four-byte words from the IP header to byte 7 of the BTH, least significant byte
// first: IPv4 TOS, TTL and checksum; IPv6 traffic class, flow label and hop limit; UDP checksum; byte 4 of the BTH.
const ipv4Mask = Int32Array.of(0xff00, 0, 0xffff00ff, 0, 0, 0, 0xffff0000, 0, 0xff);
const ipv6Mask = Int32Array.of(0xffffff0f, 0xff000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xffff0000, 0, 0xff);

/**
 * Invariant CRC of a RoCEv2 packet (IPv4 without options or IPv6 without extension headers), as an unsigned number; on
 * the wire it stands least significant byte first.
 *
 * `ipOffset` is where the IP header begins in `frame`, `end` where the ICRC stands; by default the last four bytes of
 * the IP packet. Fields that change on the way count as ones: IPv4 TOS, TTL and header checksum; IPv6 traffic class,
 * flow label and hop limit; UDP checksum; byte 4 of the BTH. The caller has checked that the headers are whole.
 * Source: IBTA volume 1, 7.8.1 and annex A17.
 */
export function icrc(frame: Uint8Array, ipOffset: number, end = icrcOffset(frame, ipOffset)): number {
  const mask = frame[ipOffset]! >>> 4 === 4 ? ipv4Mask : ipv6Mask;
  let c = afterLrh;
  let at = ipOffset;
  // One loop, and its words read in place: calls that V8 does not inline cost more here than the work itself.
  for (let i = 0; i < mask.length; i++, at += 4) {
    const word = frame[at]! | (frame[at + 1]! << 8) | (frame[at + 2]! << 16) | (frame[at + 3]! << 24);
    c = crcWord(c, word | mask[i]!);
  }
  return ~crcRange(c, frame, at, end) >>> 0;
}

function icrcOffset(frame: Uint8Array, ip: number): number {
  return frame[ip]! >>> 4 === 4 ? ip + u16(frame, ip + 2) - 4 : ip + 40 + u16(frame, ip + 4) - 4;
}

/** Bytes of an IP header that lie side by side: `at` counts from the beginning of the header. */
export interface HeaderPart {
  at: number;
  bytes: Uint8Array;
}

interface Span {
  from: number;
  to: number;
}

/** Of the first `length` bytes, the runs of those in which the mask has no ones. */
function unmasked(mask: Int32Array, length: number): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (let at = 0; at <= length; at++) {
    const covered = at < length && ((mask[at >>> 2]! >>> (8 * (at & 3))) & 0xff) === 0;
    if (covered) continue;
    if (from < at) spans.push({ from, to: at });
    from = at + 1;
  }
  return spans;
}

const headers = {
  4: { length: 20, kept: unmasked(ipv4Mask, 20) },
  6: { length: 40, kept: unmasked(ipv6Mask, 40) },
} as const;

/** The IP header of a packet: 20 bytes (IPv4) or 40 (IPv6); a view, not a copy. */
export function ipHeader({ frame, ipVersion }: Packet): Uint8Array {
  const at = ipOffset(frame) ?? 0;
  return frame.subarray(at, at + headers[ipVersion].length);
}

/**
 * The parts of the IP header of a packet that the network leaves as they are: without the bytes that the ICRC does not cover.
 * Source: IBTA volume 1, annex A17.
 */
export function invariantParts(packet: Packet): HeaderPart[] {
  const header = ipHeader(packet);
  return headers[packet.ipVersion].kept.map(({ from, to }) => ({
    at: from,
    bytes: header.subarray(from, to),
  }));
}
