/**
 * RoCEv2 frames and pcap files, byte by byte, from the tables of InfiniBand and RoCEv2 alone: nothing here comes from wire/, which
 * would make both wrong in the same way.
 */

/** Values and their widths in bytes, the most significant byte first. */
export function be(...fields: readonly (readonly [value: number | bigint, width: number])[]): Uint8Array {
  const out: number[] = [];
  for (const [value, width] of fields) {
    const number = BigInt(value);
    for (let i = width - 1; i >= 0; i--) out.push(Number((number >> BigInt(8 * i)) & 255n));
  }
  return Uint8Array.from(out);
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** CRC-32 of Ethernet, bit by bit, as a table of bytes. */
const crcOfByte = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

/** ICRC of an IP packet without its last 4 bytes, as these hold it. */
export function icrcOf(packet: Uint8Array): Uint8Array {
  const masked = packet.slice();
  const v6 = (packet[0] ?? 0) >> 4 === 6;
  if (v6) masked.set([0x6f, 0xff, 0xff, 0xff], 0);
  else masked[1] = 0xff;
  masked[v6 ? 7 : 8] = 0xff;
  if (!v6) masked.fill(0xff, 10, 12);
  const udp = v6 ? 40 : 20;
  masked.fill(0xff, udp + 6, udp + 8);
  masked[udp + 8 + 4] = 0xff;
  let crc = 0xffffffff;
  for (const byte of joined(new Uint8Array(8).fill(0xff), masked))
    crc = (crcOfByte[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  const value = ~crc >>> 0;
  return be([value, 4]).toReversed();
}

/** A base transport header; whatever is left out is 0, the P_Key that of the default partition. */
export interface Bth {
  opcode: number;
  qp: number;
  psn: number;
  solicited?: boolean;
  migReq?: boolean;
  pad?: number;
  tver?: number;
  pkey?: number;
  fecn?: boolean;
  becn?: boolean;
  resv6?: number;
  ackReq?: boolean;
  resv7?: number;
}

function bthBytes(bth: Bth, pad: number): Uint8Array {
  const bit = (set: boolean | undefined, value: number): number => (set === true ? value : 0);
  const { opcode, qp, psn, tver = 0, pkey = 0xffff, resv6 = 0, resv7 = 0 } = bth;
  return be(
    [opcode, 1],
    [bit(bth.solicited, 0x80) | bit(bth.migReq, 0x40) | (pad << 4) | tver, 1],
    [pkey, 2],
    [bit(bth.fecn, 0x80) | bit(bth.becn, 0x40) | resv6, 1],
    [qp, 3],
    [bit(bth.ackReq, 0x80) | resv7, 1],
    [psn, 3],
  );
}

/** An end of the path, and what its IP headers hold. */
export interface Ip {
  from: string;
  to: string;
  /** DSCP and ECN; of IPv6 the traffic class */
  tos?: number;
  ttl?: number;
  id?: number;
  sourcePort?: number;
  checksum?: boolean;
}

/** Bytes of `10.0.0.1` or of `fd00::1`, an IPv6 address of which only the ends are not 0. */
function addressBytes(text: string): Uint8Array {
  if (text.includes('.')) return Uint8Array.from(text.split('.').map(Number));
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string): Uint8Array =>
    be(...part.split(':').map((group) => [Number.parseInt(group || '0', 16), 2] as const));
  const [front, back] = [groups(head), groups(tail)];
  return joined(front, new Uint8Array(16 - front.length - back.length), back);
}

function ipv4Header({ from, to, tos = 2, ttl = 64, id = 0 }: Ip, length: number): Uint8Array {
  const header = joined(
    be([0x45, 1], [tos, 1], [20 + length, 2], [id & 0xffff, 2], [0x4000, 2], [ttl, 1], [17, 1], [0, 2]),
    addressBytes(from),
    addressBytes(to),
  );
  let sum = 0;
  for (let i = 0; i < 20; i += 2) sum += ((header[i] ?? 0) << 8) | (header[i + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  header.set(be([~sum & 0xffff, 2]), 10);
  return header;
}

function ipv6Header({ from, to, tos = 2, ttl = 64 }: Ip, length: number): Uint8Array {
  return joined(
    be([0x60000000 + tos * 0x100000, 4], [length, 2], [17, 1], [ttl, 1]),
    addressBytes(from),
    addressBytes(to),
  );
}

/** What follows the BTH: extension headers, and behind them the payload, which is padded. */
export interface Body {
  headers?: Uint8Array;
  payload?: Uint8Array;
}

/** An IP packet with its ICRC. */
export function packetOf(ip: Ip, bth: Bth, { headers, payload }: Body = {}): Uint8Array {
  const nothing = new Uint8Array(0);
  const pad = bth.pad ?? (4 - ((payload?.length ?? 0) % 4)) % 4;
  const inner = joined(bthBytes(bth, pad), headers ?? nothing, payload ?? nothing, new Uint8Array(pad));
  const length = 8 + inner.length + 4;
  const udp = be([ip.sourcePort ?? 49152, 2], [4791, 2], [length, 2], [0, 2]);
  const header = ip.from.includes(':') ? ipv6Header(ip, length) : ipv4Header(ip, length);
  const covered = joined(header, udp, inner);
  return joined(covered, icrcOf(covered));
}

/** The packet in an Ethernet frame, with the tags of a provider's and a customer's VLAN where these are given. */
export function frameOf(packet: Uint8Array, provider?: number, customer?: number): Uint8Array {
  const tag = (type: readonly number[], id: number | undefined): number[] =>
    id === undefined ? [] : [...type, id >> 8, id & 255];
  const tags = [...tag([0x88, 0xa8], provider), ...tag([0x81, 0], customer)];
  const type = (packet[0] ?? 0) >> 4 === 6 ? [0x86, 0xdd] : [0x08, 0];
  return joined(Uint8Array.from([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, ...tags, ...type]), packet);
}

/** A frame of a capture, in nanoseconds since its beginning. */
export interface Taken {
  t: number;
  frame: Uint8Array;
}

/** A pcap file with stamps of nanoseconds; frames longer than `snaplen` are cut. */
export function pcapOf(taken: readonly Taken[], snaplen = 262_144): Uint8Array {
  const header = be([0xa1b23c4d, 4], [2, 2], [4, 2], [0, 8], [snaplen, 4], [1, 4]);
  const records = taken.flatMap(({ t, frame }) => {
    const kept = frame.subarray(0, snaplen);
    const seconds = Math.floor(t / 1e9);
    return [
      be([1_700_000_000 + seconds, 4], [t - seconds * 1e9, 4], [kept.length, 4], [frame.length, 4]),
      kept,
    ];
  });
  return joined(header, ...records);
}
