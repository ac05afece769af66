import { u16, putU16, putU32le } from './bytes.ts';
import { ipv4HeaderSum, udpChecksum, udpChecksumFits } from './checksum.ts';
import { icrc } from './icrc.ts';
import { icrcBytes, ipOffset } from './layout.ts';

/**
 * A copy of `frame` with the ICRC, the IPv4 header checksum, and a UDP checksum other than 0, made right for the bytes as they are
 * now: for frames that were altered on purpose. Lengths stay as they stand; the ICRC goes where they say the packet ends. A frame whose
 * IP and UDP headers do not lie within it is only copied.
 */
export function reseal(frame: Uint8Array): Uint8Array {
  // slice() of a Buffer, which some callers have, would be a view
  const copy = new Uint8Array(frame);
  const ip = ipOffset(copy);
  if (ip === undefined) return copy;
  const isV4 = copy[ip]! >>> 4 === 4;
  const transport = ip + (isV4 ? 28 : 48);
  if (transport > copy.length) return copy;
  const end = isV4 ? ip + u16(copy, ip + 2) : ip + 40 + u16(copy, ip + 4);
  if (end > copy.length || end < transport + 5 + icrcBytes) return copy;
  if (isV4) {
    putU16(copy, ip + 10, 0);
    putU16(copy, ip + 10, ipv4HeaderSum(copy, ip));
  }
  putU32le(copy, end - icrcBytes, icrc(copy, ip, end - icrcBytes));
  const udp = transport - 8;
  if (udp + u16(copy, udp + 4) <= copy.length && !udpChecksumFits(copy))
    putU16(copy, udp + 6, udpChecksum(copy));
  return copy;
}
