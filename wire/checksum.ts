import { u16 } from './bytes.ts';
import { ipOffset } from './layout.ts';

/**
 * One's complement sum of a 20-byte IPv4 header, complemented: over a header whose checksum field is zero it is the
 * checksum to store, over one as received it is 0 where the checksum is right.
 */
export function ipv4HeaderSum(bytes: Uint8Array, at: number): number {
  let sum = 0;
  for (let i = 0; i < 20; i += 2) sum += u16(bytes, at + i);
  sum = (sum & 0xffff) + (sum >>> 16);
  sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

const udp = 17;

/**
 * The UDP checksum of a whole Ethernet frame of IPv4 or IPv6 without options: over the addresses, protocol and length of the
 * pseudo header, the UDP header with a checksum of 0, and all behind it, ICRC included (RFC 768, RFC 8200 section 8.1). 1..0xffff:
 * where it comes to 0, it is sent as 0xffff, as 0 stands for none. RangeError where it is neither, or too short for its UDP length.
 */
export function udpChecksum(frame: Uint8Array): number {
  const ip = ipOffset(frame);
  if (ip === undefined) throw new RangeError('the frame is neither IPv4 nor IPv6');
  const v4 = u16(frame, ip - 2) === 0x0800;
  const at = ip + (v4 ? 20 : 40);
  const addresses = ip + (v4 ? 12 : 8);
  const length = u16(frame, at + 4);
  if (at + length > frame.length) throw new RangeError(`UDP length ${length} is beyond the end of the frame`);
  let sum = udp + length;
  for (let i = addresses; i < at + length; i += 2) {
    if (i === at + 6) continue;
    sum += i + 1 < at + length ? u16(frame, i) : (frame[i] ?? 0) << 8;
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff || 0xffff;
}

/** Whether the UDP checksum of a whole frame is that of its bytes, or 0, which stands for none. `false` where the frame is cut. */
export function udpChecksumFits(frame: Uint8Array): boolean {
  const ip = ipOffset(frame);
  if (ip === undefined) return false;
  const at = ip + (u16(frame, ip - 2) === 0x0800 ? 20 : 40);
  if (at + 8 > frame.length) return false;
  const sum = u16(frame, at + 6);
  return sum === 0 || (at + u16(frame, at + 4) <= frame.length && sum === udpChecksum(frame));
}
