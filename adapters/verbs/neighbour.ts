import { formatIpv4, formatIpv6, parseIp, parseMac } from '../../wire/index.ts';
import type { Endpoint } from '../adapter.ts';

/** An end as those see it who ask for its MAC address. */
type Addresses = Pick<Endpoint, 'mac' | 'ipv4' | 'ipv6'>;

const etherArp = 0x0806;
const etherIpv6 = 0x86dd;
const icmpv6 = 58;
const solicitation = 135;
const advertisement = 136;

const macBytes = (mac: string): Buffer => Buffer.from(parseMac(mac));
const broadcast = Buffer.alloc(6, 0xff);

function ethernet(to: Buffer, from: Buffer, type: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(14);
  head.set(to, 0);
  head.set(from, 6);
  head.writeUInt16BE(type, 12);
  const frame = Buffer.concat([head, payload]);
  return frame.length < 60 ? Buffer.concat([frame, Buffer.alloc(60 - frame.length)]) : frame;
}

function arp(operation: 1 | 2, sender: Buffer, senderIp: Buffer, target: Buffer, targetIp: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0, 1, 8, 0, 6, 4, 0, operation]),
    sender,
    senderIp,
    operation === 1 ? Buffer.alloc(6) : target,
    targetIp,
  ]);
}

/** One's complement sum over an ICMPv6 message and its pseudo header. */
function icmpChecksum(from: Buffer, to: Buffer, message: Buffer): number {
  const length = Buffer.alloc(8);
  length.writeUInt32BE(message.length, 0);
  length.writeUInt8(icmpv6, 7);
  const all = Buffer.concat([from, to, length, message]);
  let sum = 0;
  for (let i = 0; i < all.length; i += 2) sum += all.readUInt16BE(i);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

/** Neighbour solicitation or advertisement with the sender's MAC address in its option. */
function discovery(parts: {
  type: number;
  flags: number;
  mac: Buffer;
  from: Buffer;
  to: Buffer;
  target: Buffer;
}): Buffer {
  const { type, flags, mac, from, to, target } = parts;
  const message = Buffer.concat([
    Buffer.from([type, 0, 0, 0, flags, 0, 0, 0]),
    target,
    Buffer.from([type === solicitation ? 1 : 2, 1]),
    mac,
  ]);
  message.writeUInt16BE(icmpChecksum(from, to, message), 2);
  const head = Buffer.alloc(8);
  head.writeUInt8(0x60, 0);
  head.writeUInt16BE(message.length, 4);
  head.writeUInt8(icmpv6, 6);
  head.writeUInt8(255, 7); // anything less came through a router, and is ignored
  return Buffer.concat([head, from, to, message]);
}

/**
 * What `own` says to one who asks for its MAC address by ARP or IPv6 neighbour discovery; `undefined` for any other frame.
 */
export function neighbourReply(frame: Uint8Array, own: Addresses): Uint8Array | undefined {
  const f = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  if (f.length < 42) return undefined;
  const mac = macBytes(own.mac);
  const asker = f.subarray(6, 12);
  const type = f.readUInt16BE(12);
  if (type === etherArp) {
    const [sender, senderIp, targetIp] = [f.subarray(22, 28), f.subarray(28, 32), f.subarray(38, 42)];
    if (f.readUInt16BE(20) !== 1 || formatIpv4(targetIp, 0) !== own.ipv4) return undefined;
    return ethernet(asker, mac, etherArp, arp(2, mac, targetIp, sender, senderIp));
  }
  if (type !== etherIpv6 || f.length < 78 || f[20] !== icmpv6 || f[54] !== solicitation) return undefined;
  const [from, target] = [f.subarray(22, 38), f.subarray(62, 78)];
  if (formatIpv6(target, 0) !== own.ipv6 || from.every((byte) => byte === 0)) return undefined;
  // solicited, override
  const parts = { type: advertisement, flags: 0x60, mac, from: target, to: from, target };
  return ethernet(asker, mac, etherIpv6, discovery(parts));
}

/**
 * Frames by which `own` asks for the MAC address of `other`, and so makes itself known to it: a host remembers who asks.
 */
export function neighbourRequests(own: Addresses, other: Addresses): Uint8Array[] {
  const mac = macBytes(own.mac);
  const frames: Uint8Array[] = [];
  if (own.ipv4 !== undefined && other.ipv4 !== undefined) {
    const [from, to] = [Buffer.from(parseIp(own.ipv4)), Buffer.from(parseIp(other.ipv4))];
    frames.push(ethernet(broadcast, mac, etherArp, arp(1, mac, from, Buffer.alloc(6), to)));
  }
  if (own.ipv6 !== undefined && other.ipv6 !== undefined) {
    const [from, target] = [Buffer.from(parseIp(own.ipv6)), Buffer.from(parseIp(other.ipv6))];
    const to = Buffer.concat([Buffer.from('ff0200000000000000000001ff', 'hex'), target.subarray(13)]);
    const group = Buffer.concat([Buffer.from([0x33, 0x33]), to.subarray(12)]);
    const message = discovery({ type: solicitation, flags: 0, mac, from, to, target });
    frames.push(ethernet(group, mac, etherIpv6, message));
  }
  return frames;
}

/**
 * Frames by which `own` confirms its MAC address to `other` unasked: what a host has heard so, it need not ask for a while.
 */
export function neighbourConfirmations(own: Addresses, other: Addresses): Uint8Array[] {
  const [mac, to] = [macBytes(own.mac), macBytes(other.mac)];
  const frames: Uint8Array[] = [];
  if (own.ipv4 !== undefined && other.ipv4 !== undefined) {
    const [sender, target] = [Buffer.from(parseIp(own.ipv4)), Buffer.from(parseIp(other.ipv4))];
    frames.push(ethernet(to, mac, etherArp, arp(2, mac, sender, to, target)));
  }
  if (own.ipv6 !== undefined && other.ipv6 !== undefined) {
    const [from, target] = [Buffer.from(parseIp(own.ipv6)), Buffer.from(parseIp(other.ipv6))];
    const parts = { type: advertisement, flags: 0x60, mac, from, to: target, target: from };
    frames.push(ethernet(to, mac, etherIpv6, discovery(parts)));
  }
  return frames;
}
