import { putU16, u16 } from '../../bytes.ts';
import { ipv4HeaderSum } from '../../checksum.ts';

const ce = 3;

/** ECN bits of the IP header at `at`. */
export function ecnAt(bytes: Uint8Array, at: number, version: 4 | 6): number {
  return (version === 4 ? bytes[at + 1]! : u16(bytes, at) >>> 4) & 3;
}

/**
 * What a device finds at the end of a tunnel, RFC 6040: a mark that a switch has set in the outer header is one of the packet within,
 * if that can be marked. Writes into `frame`, whose IP header stands at `at`.
 */
export function congested(frame: Uint8Array, at: number, version: 4 | 6): void {
  const ecn = ecnAt(frame, at, version);
  if (ecn === 0 || ecn === ce) return;
  if (version === 6) {
    frame[at + 1] = frame[at + 1]! | (ce << 4);
    return;
  }
  const sound = ipv4HeaderSum(frame, at) === 0;
  frame[at + 1] = frame[at + 1]! | ce;
  if (!sound) return;
  putU16(frame, at + 10, 0);
  putU16(frame, at + 10, ipv4HeaderSum(frame, at));
}
