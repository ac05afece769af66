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
export { remember } from './remember.ts';
export { copied, zeroed } from './zeroed.ts';
export type { CaptureDamage, CapturedPacket, CaptureFrame, CaptureRecord } from './capture/types.ts';
export { readCapture } from './capture/read.ts';
export { decodeCaptured, linktypes } from './capture/linktype.ts';
export { writePcap } from './capture/write-pcap.ts';
export type { PcapOptions } from './capture/write-pcap.ts';
export { PcapngBlocks, PcapngFile, writePcapng } from './capture/write-pcapng.ts';
export type { PcapngInterface, PcapngOptions } from './capture/write-pcapng.ts';
