import { opcodes } from '../spec/constants.ts';
import { u16, u24 } from './bytes.ts';
import { decode } from './decode.ts';
import { bthBytes, rocePort } from './layout.ts';

/** What keeps a frame from being a RoCEv2 packet that a port takes, named by the header that it concerns. */
export type FrameFault = 'ethertype' | 'ip-header' | 'udp-header' | 'transport' | 'oversized';

/** Bytes of the longest Ethernet frame that any port may take (jumbo frame, tags included). */
export const longestFrame = 9216;

/**
 * What is wrong with a frame in front of its transport headers, the outermost first; `undefined`: nothing.
 * `ethertype`: neither IPv4 nor IPv6. `ip-header`: version, header length, protocol, a fragment, IPv4 header checksum, or a
 * length that is not that of the frame. `udp-header`: another port than 4791, or a length that is not that of the IP packet.
 * `transport`: too short for the headers of its opcode. `oversized`: longer than any port takes.
 */
export function frameFault(frame: Uint8Array): FrameFault | undefined {
  if (frame.length > longestFrame) return 'oversized';
  let at = 12;
  while (frame.length > at + 6 && (u16(frame, at) === 0x8100 || u16(frame, at) === 0x88a8)) at += 4;
  const type = frame.length > at + 1 ? u16(frame, at) : 0;
  if (type !== 0x0800 && type !== 0x86dd) return 'ethertype';
  const decoded = decode(frame);
  if (decoded.kind === 'packet') return decoded.packet.ipChecksumOk ? undefined : 'ip-header';
  const ip = at + 2;
  const v4 = type === 0x0800;
  const udp = ip + (v4 ? 20 : 40);
  if (frame.length < udp + 8) return 'ip-header';
  const [first, protocol] = [frame[ip] ?? 0, frame[ip + (v4 ? 9 : 6)]];
  const total = v4 ? u16(frame, ip + 2) : 40 + u16(frame, ip + 4);
  // Ethernet fills short frames up
  const fits = ip + total === frame.length || (frame.length <= 60 && ip + total < frame.length);
  // RoCEv2 packets are whole
  const isFragment = v4 && (u16(frame, ip + 6) & 0x3fff) !== 0;
  if (first >>> 4 !== (v4 ? 4 : 6) || (v4 && (first & 15) !== 5) || protocol !== 17 || !fits || isFragment)
    return 'ip-header';
  if (u16(frame, udp + 2) !== rocePort || udp + u16(frame, udp + 4) !== ip + total) return 'udp-header';
  return 'transport';
}

const faults: Readonly<Record<FrameFault, string>> = {
  ethertype: 'neither IPv4 nor IPv6',
  'ip-header': 'an IP header that is wrong',
  'udp-header': 'a UDP header that is wrong',
  transport: 'cut short',
  oversized: 'longer than any port takes',
};

/** What the BTH of a frame says whose other headers are not all there; nothing where it is not there itself. */
function bthText(frame: Uint8Array): string {
  let at = 12;
  while (u16(frame, at) === 0x8100 || u16(frame, at) === 0x88a8) at += 4;
  const bth = at + 2 + (u16(frame, at) === 0x0800 ? 20 : 40) + 8;
  if (frame.length < bth + bthBytes) return '';
  const opcode = frame[bth] ?? 0;
  const name = opcodes[opcode]?.name.replace('_', ' ') ?? `opcode 0x${opcode.toString(16).padStart(2, '0')}`;
  return ` ${name} psn ${u24(frame, bth + 9)} qp 0x${u24(frame, bth + 5)
    .toString(16)
    .padStart(6, '0')}`;
}

/** A frame that is no RoCEv2 packet, in one line: what keeps it from being one, and how long it is. */
export function describeFrame(frame: Uint8Array): string {
  const fault = frameFault(frame);
  const bth = fault === 'transport' ? bthText(frame) : '';
  return `no packet: ${fault === undefined ? 'sound' : faults[fault]}${bth}, ${frame.length} bytes`;
}
