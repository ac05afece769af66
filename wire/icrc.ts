import { u16 } from './bytes.ts';
import { crcRange, crcWord } from './crc.ts';
import type { Packet } from './packet.ts';

// The register after the eight bytes of ones that stand for the absent LRH.
const afterLrh = 0xdebb20e3 | 0;

// Ones for what changes on the way, by four-byte words from the IP header to byte 7 of the BTH, least significant byte
// first: IPv4 TOS, TTL and checksum; IPv6 traffic class, flow label and hop limit; UDP checksum; byte 4 of the BTH.
const ipv4Mask = Int32Array.of(0xff00, 0, 0xffff00ff, 0, 0, 0, 0xffff0000, 0, 0xff);
const ipv6Mask = Int32Array.of(0xffffff0f, 0xff000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xffff0000, 0, 0xff);

/** Whether the byte at `at` of the IP header, or a part of it, may change on the way and counts as ones in the ICRC. */
function changesOnTheWay(ipVersion: 4 | 6, at: number): boolean {
  const word = (ipVersion === 4 ? ipv4Mask : ipv6Mask)[at >>> 2] ?? 0;
  return ((word >>> (8 * (at & 3))) & 0xff) !== 0;
}

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

const ethernetBytes = 14;
const tagBytes = 4;
const headerBytes = { 4: 20, 6: 40 } as const;

/** Bytes of an IP header that lie side by side: `at` counts from the beginning of the header. */
export interface HeaderPart {
  at: number;
  bytes: Uint8Array;
}

/** The IP header of a packet: 20 bytes (IPv4) or 40 (IPv6); a view, not a copy. */
export function ipHeader({ frame, ipVersion, vlanTci, serviceTci }: Packet): Uint8Array {
  const tags = (vlanTci === undefined ? 0 : 1) + (serviceTci === undefined ? 0 : 1);
  const at = ethernetBytes + tags * tagBytes;
  return frame.subarray(at, at + headerBytes[ipVersion]);
}

/**
 * The parts of the IP header of a packet that the network leaves as they are: without the bytes that the ICRC does not cover.
 * Source: IBTA volume 1, annex A17.
 */
export function invariantParts(packet: Packet): HeaderPart[] {
  const header = ipHeader(packet);
  const parts: HeaderPart[] = [];
  let from = 0;
  for (let at = 0; at <= header.length; at++) {
    if (at < header.length && !changesOnTheWay(packet.ipVersion, at)) continue;
    if (from < at) parts.push({ at: from, bytes: header.subarray(from, at) });
    from = at + 1;
  }
  return parts;
}
