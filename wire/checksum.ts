import { u16 } from './bytes.ts';

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
