import type { Packet } from '../../../wire/index.ts';

/** Bytes in front of the payload in the buffer of a datagram, which belong to its GRH. */
export const grhBytes = 40;

const ethernetHeader = 14;
const vlanTag = 4;
const ipv4Header = 20;

/** The 40 bytes of the GRH: an IPv6 header is one; in front of an IPv4 header stand 20 bytes that mean nothing. */
export function grhOf({ frame, ipVersion, vlanTci, serviceTci }: Packet): Uint8Array {
  const ip =
    ethernetHeader + (vlanTci === undefined ? 0 : vlanTag) + (serviceTci === undefined ? 0 : vlanTag);
  if (ipVersion === 6) return frame.subarray(ip, ip + grhBytes);
  const bytes = new Uint8Array(grhBytes);
  bytes.set(frame.subarray(ip, ip + ipv4Header), grhBytes - ipv4Header);
  return bytes;
}
