import { u16 } from './bytes.ts';
import { crcByte, crcRange, crcWord } from './crc.ts';

// The register after the eight bytes of ones that stand for the absent LRH.
const afterLrh = 0xdebb20e3 | 0;

function word(b: Uint8Array, at: number): number {
  return b[at]! | (b[at + 1]! << 8) | (b[at + 2]! << 16) | (b[at + 3]! << 24);
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
  const isV4 = frame[ipOffset]! >>> 4 === 4;
  const udp = ipOffset + (isV4 ? 20 : 40);
  const c = isV4 ? ipv4Register(frame, ipOffset) : ipv6Register(frame, ipOffset);
  return ~transportRegister(c, frame, udp, end) >>> 0;
}

function icrcOffset(frame: Uint8Array, ip: number): number {
  return frame[ip]! >>> 4 === 4 ? ip + u16(frame, ip + 2) - 4 : ip + 40 + u16(frame, ip + 4) - 4;
}

function ipv4Register(b: Uint8Array, ip: number): number {
  let c = crcWord(afterLrh, word(b, ip) | 0x0000ff00);
  c = crcWord(c, word(b, ip + 4));
  c = crcWord(c, word(b, ip + 8) | 0xffff00ff);
  c = crcWord(c, word(b, ip + 12));
  return crcWord(c, word(b, ip + 16));
}

function ipv6Register(b: Uint8Array, ip: number): number {
  let c = crcWord(afterLrh, word(b, ip) | 0xffffff0f);
  c = crcWord(c, word(b, ip + 4) | 0xff000000);
  for (let at = ip + 8; at < ip + 40; at += 4) c = crcWord(c, word(b, at));
  return c;
}

function transportRegister(start: number, b: Uint8Array, udp: number, end: number): number {
  let c = crcWord(start, word(b, udp));
  c = crcWord(c, word(b, udp + 4) | 0xffff0000);
  c = crcWord(c, word(b, udp + 8));
  c = crcByte(c, 0xff);
  return crcRange(c, b, udp + 13, end);
}
