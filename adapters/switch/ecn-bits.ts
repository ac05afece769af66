import { ipv4HeaderSum } from '../../wire/checksum.ts';

const ethernetHeader = 14;
const ipv4Type = 0x0800;
const ipv6Type = 0x86dd;
const tags: readonly number[] = [0x8100, 0x88a8];

/** Codepoints of RFC 3168. */
export const notEct = 0;
export const ect1 = 1;
export const congested = 3;

interface Place {
  version: 4 | 6;
  at: number;
}

/** Where the IP header of a frame begins; `undefined` where it has none. */
function ipHeader(frame: Uint8Array): Place | undefined {
  let at = ethernetHeader;
  const type = (): number => ((frame[at - 2] ?? 0) << 8) | (frame[at - 1] ?? 0);
  while (tags.includes(type())) at += 4;
  if (type() === ipv4Type && frame.length >= at + 20) return { version: 4, at };
  if (type() === ipv6Type && frame.length >= at + 40) return { version: 6, at };
  return undefined;
}

/** ECN bits of a frame; 0 where it has no IP header. */
export function ecnBits(frame: Uint8Array): number {
  const ip = ipHeader(frame);
  if (ip === undefined) return notEct;
  const byte = frame[ip.at + 1] ?? 0;
  return ip.version === 4 ? byte & 3 : (byte >>> 4) & 3;
}

/** The frame with other ECN bits; the checksum of an IPv4 header follows, and nothing else changes. */
export function withEcnBits(frame: Uint8Array, ecn: number): Uint8Array {
  const ip = ipHeader(frame);
  if (ip === undefined) return frame;
  const copy = new Uint8Array(frame);
  const { at, version } = ip;
  const byte = copy[at + 1] ?? 0;
  if (version === 6) {
    copy[at + 1] = (byte & 0xcf) | (ecn << 4);
    return copy;
  }
  copy[at + 1] = (byte & 0xfc) | ecn;
  copy[at + 10] = copy[at + 11] = 0;
  const sum = ipv4HeaderSum(copy, at);
  copy[at + 10] = sum >>> 8;
  copy[at + 11] = sum & 0xff;
  return copy;
}
