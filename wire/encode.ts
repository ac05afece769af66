import { cnpReservedBytes, opcodes, serviceBits } from '../spec/constants.ts';
import { parseIp, parseMac } from './address.ts';
import { putU16, putU24, putU32, putU32le, putU64 } from './bytes.ts';
import { ipv4HeaderSum } from './checksum.ts';
import { icrc } from './icrc.ts';
import * as layout from './layout.ts';
import type { PacketFields } from './packet.ts';
import { bits, bits64 } from './range.ts';
import { remember } from './remember.ts';
import { zeroed } from './zeroed.ts';

/** lowest opcode byte of the vendors' services */
const outOfOrder = serviceBits.ORC;
const nothing = new Uint8Array(0);
const cnpBody = new Uint8Array(cnpReservedBytes);
const defaults = { srcMac: '02:00:00:00:00:01', dstMac: '02:00:00:00:00:02', srcPort: 0xc000 };

/**
 * A whole Ethernet frame, ICRC included (no FCS). Pad count, IP and UDP lengths, IPv4 checksum and ICRC are computed;
 * the UDP checksum is 0 unless given. Values may be unsound as a protocol matter (wrong pad count, reserved opcode,
 * payload on an ACK); a value that its field cannot hold throws RangeError.
 */
export function encode(fields: PacketFields): Uint8Array {
  const opcode = bits('opcode', fields.opcode, 8);
  const info = opcodes[opcode];
  const payload = fields.payload ?? (info?.kind === 'cnp' ? cnpBody : nothing);
  const pad = bits('padCount', fields.padCount ?? -payload.length & 3, 2);
  const headersLength = layout.bthBytes + layout.extensionBytes[opcode]!;
  const udpLength = 8 + headersLength + payload.length + pad + layout.icrcBytes;
  const { src, dst } = addresses(fields);
  const tags = (fields.serviceTci === undefined ? 0 : 4) + (fields.vlanTci === undefined ? 0 : 4);
  const ip = 14 + tags;
  const udp = ip + (src.length === 4 ? 20 : 40);
  if (udpLength + (src.length === 4 ? 20 : 0) > 0xffff) {
    throw new RangeError(`payload of ${payload.length} bytes does not fit an IP packet`);
  }
  const frame = zeroed(udp + udpLength);
  putEthernet(frame, fields, src.length === 4 ? 0x0800 : 0x86dd);
  if (src.length === 4) putIpv4(frame, ip, fields, udpLength);
  else putIpv6(frame, ip, fields, udpLength);
  frame.set(src, udp - 2 * src.length);
  frame.set(dst, udp - dst.length);
  if (src.length === 4) putU16(frame, ip + 10, ipv4HeaderSum(frame, ip));
  putU16(frame, udp, bits('srcPort', fields.srcPort ?? defaults.srcPort, 16));
  putU16(frame, udp + 2, layout.rocePort);
  putU16(frame, udp + 4, udpLength);
  putU16(frame, udp + 6, bits('udpChecksum', fields.udpChecksum ?? 0, 16));
  putBth(frame, udp + 8, fields, pad, info?.kind === 'cnp');
  putExtensionHeaders(frame, udp + 8, fields);
  frame.set(payload, udp + 8 + headersLength);
  const end = frame.length - layout.icrcBytes;
  putU32le(frame, end, icrc(frame, ip, end) ^ bits('icrcXor', fields.icrcXor ?? 0, 32));
  return frame;
}

function addresses(fields: PacketFields): { src: Uint8Array; dst: Uint8Array } {
  const v6 = (fields.srcIp ?? fields.dstIp ?? '').includes(':');
  const src = cachedIp(fields.srcIp ?? (v6 ? 'fd00::1' : '10.0.0.1'));
  const dst = cachedIp(fields.dstIp ?? (v6 ? 'fd00::2' : '10.0.0.2'));
  if (src.length === dst.length) return { src, dst };
  throw new RangeError(`addresses of two IP versions: ${fields.srcIp ?? ''} and ${fields.dstIp ?? ''}`);
}

const cachedIp = remember(parseIp);
const cachedMac = remember(parseMac);

function putEthernet(frame: Uint8Array, fields: PacketFields, etherType: number): void {
  frame.set(cachedMac(fields.dstMac ?? defaults.dstMac), 0);
  frame.set(cachedMac(fields.srcMac ?? defaults.srcMac), 6);
  let at = 12;
  if (fields.serviceTci !== undefined) {
    putU16(frame, at, 0x88a8);
    putU16(frame, at + 2, bits('serviceTci', fields.serviceTci, 16));
    at += 4;
  }
  if (fields.vlanTci !== undefined) {
    putU16(frame, at, 0x8100);
    putU16(frame, at + 2, bits('vlanTci', fields.vlanTci, 16));
    at += 4;
  }
  putU16(frame, at, etherType);
}

function putIpv4(frame: Uint8Array, ip: number, fields: PacketFields, udpLength: number): void {
  frame[ip] = 0x45;
  frame[ip + 1] = bits('trafficClass', fields.trafficClass ?? 0, 8);
  putU16(frame, ip + 2, 20 + udpLength);
  putU16(frame, ip + 4, bits('ipId', fields.ipId ?? 0, 16));
  frame[ip + 6] = fields.dontFragment === false ? 0 : 0x40;
  frame[ip + 8] = bits('hopLimit', fields.hopLimit ?? 64, 8);
  frame[ip + 9] = 17;
}

function putIpv6(frame: Uint8Array, ip: number, fields: PacketFields, udpLength: number): void {
  const trafficClass = bits('trafficClass', fields.trafficClass ?? 0, 8);
  putU32(frame, ip, 0x60000000 | (trafficClass << 20) | bits('flowLabel', fields.flowLabel ?? 0, 20));
  putU16(frame, ip + 4, udpLength);
  frame[ip + 6] = 17;
  frame[ip + 7] = bits('hopLimit', fields.hopLimit ?? 64, 8);
}

function putBth(frame: Uint8Array, at: number, fields: PacketFields, pad: number, cnp: boolean): void {
  frame[at] = fields.opcode;
  frame[at + 1] =
    (fields.solicited === true ? 0x80 : 0) |
    (fields.migReq === false ? 0 : 0x40) |
    (pad << 4) |
    bits('tver', fields.tver ?? 0, 4);
  putU16(frame, at + 2, bits('pkey', fields.pkey ?? 0xffff, 16));
  frame[at + 4] =
    (fields.fecn === true ? 0x80 : 0) |
    ((fields.becn ?? cnp) ? 0x40 : 0) |
    bits('resv6', fields.resv6 ?? 0, 6);
  putU24(frame, at + 5, bits('destQp', fields.destQp, 24));
  frame[at + 8] = (fields.ackReq === true ? 0x80 : 0) | bits('resv7', fields.resv7 ?? 0, 7);
  putU24(frame, at + 9, bits('psn', fields.psn, 24));
}

function putExtensionHeaders(frame: Uint8Array, bth: number, fields: PacketFields): void {
  const { rdeth, deth, xrceth, reth, atomicEth, aeth, feth } = fields;
  const place = (table: Uint8Array): number => table[fields.opcode]!;
  let at = place(layout.rdethAt);
  if (at !== 0 && rdeth !== undefined)
    putU24(frame, bth + at + 1, bits('rdeth.eeContext', rdeth.eeContext, 24));
  at = place(layout.dethAt);
  if (at !== 0 && deth !== undefined) {
    putU32(frame, bth + at, bits('deth.qkey', deth.qkey, 32));
    frame[bth + at + 4] = bits('deth.reserved', deth.reserved ?? 0, 8);
    putU24(frame, bth + at + 5, bits('deth.srcQp', deth.srcQp, 24));
  }
  at = place(layout.xrcethAt);
  if (at !== 0 && xrceth !== undefined) putU24(frame, bth + at + 1, bits('xrceth.srq', xrceth.srq, 24));
  at = place(layout.rethAt);
  if (at !== 0 && reth !== undefined) {
    putU64(frame, bth + at, bits64('reth.va', reth.va));
    putU32(frame, bth + at + 8, bits('reth.rkey', reth.rkey, 32));
    putU32(frame, bth + at + 12, bits('reth.dmaLen', reth.dmaLen, 32));
  }
  at = place(layout.atomicEthAt);
  if (at !== 0 && atomicEth !== undefined) {
    putU64(frame, bth + at, bits64('atomicEth.va', atomicEth.va));
    putU32(frame, bth + at + 8, bits('atomicEth.rkey', atomicEth.rkey, 32));
    putU64(frame, bth + at + 12, bits64('atomicEth.swapOrAdd', atomicEth.swapOrAdd));
    putU64(frame, bth + at + 20, bits64('atomicEth.compare', atomicEth.compare));
  }
  at = place(layout.aethAt);
  if (at !== 0 && aeth !== undefined) {
    frame[bth + at] = bits('aeth.syndrome', aeth.syndrome, 8);
    putU24(frame, bth + at + 1, bits('aeth.msn', aeth.msn, 24));
  }
  at = place(layout.atomicAckEthAt);
  if (at !== 0) putU64(frame, bth + at, bits64('atomicOriginal', fields.atomicOriginal ?? 0n));
  at = place(layout.immDtAt);
  if (at !== 0) putU32(frame, bth + at, bits('immediate', fields.immediate ?? 0, 32));
  at = place(layout.iethAt);
  if (at !== 0) putU32(frame, bth + at, bits('invalidateRkey', fields.invalidateRkey ?? 0, 32));
  at = place(layout.fethAt);
  if (at !== 0 && feth !== undefined) {
    frame[bth + at + 3] =
      (bits('feth.selectivity', feth.selectivity, 2) << 4) | bits('feth.placement', feth.placement, 4);
  }
  if (fields.opcode >= outOfOrder) putOutOfOrder(frame, bth, fields);
}

function putOutOfOrder(frame: Uint8Array, bth: number, { opcode, ooeth, saeth }: PacketFields): void {
  let at = layout.ooethAt[opcode]!;
  if (at !== 0 && ooeth !== undefined) {
    frame[bth + at] = bits('ooeth.flags', ooeth.flags, 8);
    putU24(frame, bth + at + 1, bits('ooeth.recvWqeSn', ooeth.recvWqeSn, 24));
    putU24(frame, bth + at + 5, bits('ooeth.readWqeSn', ooeth.readWqeSn, 24));
    putU32(frame, bth + at + 8, bits('ooeth.offset', ooeth.offset, 32));
  }
  at = layout.saethAt[opcode]!;
  if (at !== 0 && saeth !== undefined) {
    frame[bth + at] = bits('saeth.flags', saeth.flags, 8);
    putU24(frame, bth + at + 1, bits('saeth.trigger', saeth.trigger, 24));
  }
}
