import { opcodes } from '../spec/constants.ts';
import { u16, u32le } from './bytes.ts';
import { icrc } from './icrc.ts';
import { bthBytes, extensionBytes, icrcBytes, rocePort } from './layout.ts';
import type { Decoded, NotPacket } from './packet.ts';
import { PacketView } from './view.ts';

/** Where the IP packet of a frame lies: its header, the UDP header, and its end by its own length. */
interface Placed {
  ip: number;
  udp: number;
  end: number;
}

/**
 * Reads an Ethernet frame as RoCEv2. Never throws; keeps a view of `frame`, so its bytes must not change afterwards.
 *
 * `capturedOf` is the length the frame had on the wire, where a capture may have cut it. A frame shorter than its
 * headers announce is `truncated`; where `capturedOf` shows that it was as short on the wire, `malformed`. A truncated
 * frame whose transport headers are whole comes with its `packet`.
 *
 * `not-roce`: another protocol, RoCEv1, another UDP port, an IPv4 fragment without UDP header, IPv6 extension headers.
 * `malformed`: aimed at port 4791 but no packet: fragmented, IPv4 options, lengths that contradict each other, too
 * short for the BTH, the opcode's extension headers, padding and ICRC. A reserved opcode is a packet (`info`
 * undefined), and so is one with a wrong ICRC, pad count or length for its opcode: judging these is not parsing.
 */
export function decode(frame: Uint8Array, capturedOf?: number): Decoded {
  if (frame.length < 14) return short(frame, capturedOf, 14, 'the Ethernet header');
  let at = 12;
  let type = u16(frame, at);
  // many switches put a customer's tag in front of another one
  if (type === 0x88a8 || (type === 0x8100 && frame.length >= at + 6 && u16(frame, at + 4) === 0x8100)) {
    if (frame.length < at + 6) return short(frame, capturedOf, at + 6, 'the 802.1ad tag');
    at += 4;
    type = u16(frame, at);
  }
  if (type === 0x8100) {
    if (frame.length < at + 6) return short(frame, capturedOf, at + 6, 'the 802.1Q tag');
    at += 4;
    type = u16(frame, at);
  }
  if (type === 0x0800) return decodeIpv4(frame, at + 2, capturedOf);
  if (type === 0x86dd) return decodeIpv6(frame, at + 2, capturedOf);
  if (type === 0x8915) return notRoce('RoCEv1 (ethertype 0x8915)');
  return notRoce(`ethertype 0x${type.toString(16).padStart(4, '0')}`);
}

function decodeIpv4(frame: Uint8Array, ip: number, capturedOf: number | undefined): Decoded {
  if (frame.length < ip + 20) return short(frame, capturedOf, ip + 20, 'the IPv4 header');
  const first = frame[ip]!;
  if (first >>> 4 !== 4) return malformed(`IP version ${first >>> 4} in an IPv4 frame`);
  const headerLength = (first & 15) * 4;
  if (headerLength < 20) return malformed(`IPv4 header length ${headerLength}`);
  if (frame[ip + 9] !== 17) return notRoce(`IP protocol ${frame[ip + 9]!}`);
  const fragment = u16(frame, ip + 6) & 0x3fff;
  if ((fragment & 0x1fff) !== 0) return notRoce('IPv4 fragment, not the first');
  const udp = ip + headerLength;
  const port = rocePortAt(frame, udp, capturedOf);
  if (port !== undefined) return port;
  if (fragment !== 0) return malformed('fragmented IPv4 packet');
  if (headerLength > 20) return malformed('IPv4 options');
  return decodeTransport(frame, { ip, udp, end: ip + u16(frame, ip + 2) }, capturedOf);
}

function decodeIpv6(frame: Uint8Array, ip: number, capturedOf: number | undefined): Decoded {
  if (frame.length < ip + 40) return short(frame, capturedOf, ip + 40, 'the IPv6 header');
  const version = frame[ip]! >>> 4;
  if (version !== 6) return malformed(`IP version ${version} in an IPv6 frame`);
  const next = frame[ip + 6]!;
  if (next !== 17)
    return notRoce(`${extensionHeaders.has(next) ? 'IPv6 extension header' : 'IP protocol'} ${next}`);
  const udp = ip + 40;
  const port = rocePortAt(frame, udp, capturedOf);
  if (port !== undefined) return port;
  return decodeTransport(frame, { ip, udp, end: udp + u16(frame, ip + 4) }, capturedOf);
}

/** Hop-by-hop, routing, fragment, ESP, AH, destination options, mobility. */
const extensionHeaders: ReadonlySet<number> = new Set([0, 43, 44, 50, 51, 60, 135]);

/** Why the UDP datagram is none for RoCEv2; undefined if it is one. */
function rocePortAt(frame: Uint8Array, udp: number, capturedOf: number | undefined): NotPacket | undefined {
  if (frame.length < udp + 8) return short(frame, capturedOf, udp + 8, 'the UDP header');
  const port = u16(frame, udp + 2);
  return port === rocePort ? undefined : notRoce(`UDP port ${port}`);
}

function decodeTransport(
  frame: Uint8Array,
  { ip, udp, end }: Placed,
  capturedOf: number | undefined,
): Decoded {
  const udpLength = u16(frame, udp + 4);
  if (udp + udpLength !== end) {
    return malformed(`UDP length ${udpLength}, but ${end - udp} bytes in the IP packet`);
  }
  const bth = udp + 8;
  if (end < bth + bthBytes + icrcBytes) {
    return malformed(`UDP length ${udpLength} is too short for a BTH and an ICRC`);
  }
  if (frame.length < bth + bthBytes) return short(frame, capturedOf, end, 'the BTH');
  const headersEnd = bth + bthBytes + extensionBytes[frame[bth]!]!;
  const pad = (frame[bth + 1]! >>> 4) & 3;
  if (end < headersEnd + pad + icrcBytes) {
    const name = opcodes[frame[bth]!]?.name ?? 'the opcode';
    const reason = `UDP length ${udpLength} is too short for the headers of ${name}, ${pad} pad bytes and an ICRC`;
    return sealed(frame, ip, end) ? { kind: 'malformed', reason, sealed: true } : malformed(reason);
  }
  if (frame.length < end) {
    const result = short(frame, capturedOf, end, 'the IP packet');
    if (result.kind !== 'truncated' || frame.length < headersEnd) return result;
    return { ...result, packet: new PacketView(frame, ip, bth, end) };
  }
  return { kind: 'packet', packet: new PacketView(frame, ip, bth, end) };
}

/** Whether the last 4 bytes of the IP packet are the ICRC of the others. */
function sealed(frame: Uint8Array, ip: number, end: number): boolean {
  return frame.length >= end && icrc(frame, ip) === u32le(frame, end - icrcBytes);
}

function notRoce(reason: string): NotPacket {
  return { kind: 'not-roce', reason };
}

function malformed(reason: string): NotPacket {
  return { kind: 'malformed', reason };
}

/** The frame ends before byte `need`, within `what`. */
function short(frame: Uint8Array, capturedOf: number | undefined, need: number, what: string): NotPacket {
  const have = frame.length;
  if (capturedOf !== undefined && capturedOf < need) {
    return malformed(`the frame of ${capturedOf} bytes ends within ${what}, which needs ${need}`);
  }
  return { kind: 'truncated', reason: `cut short within ${what}`, need, have };
}
