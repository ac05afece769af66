/** RoCEv2 packets and captures: encode, decode, ICRC, PSN arithmetic, pcap and pcapng. */
export type { Decoded, NotPacket, Packet, PacketFields } from './packet.ts';
export { psnAdd, psnDiff, psnMask, psnModulus, psnRegion } from './psn.ts';
export { encode } from './encode.ts';
export { decode } from './decode.ts';
export { reseal } from './reseal.ts';
export { icrc } from './icrc.ts';
export { crc32 } from './crc.ts';
export { describe, describeSyndrome } from './describe.ts';
export { formatIpv4, formatIpv6, formatMac, parseIp, parseMac } from './address.ts';
