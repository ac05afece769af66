import { opcodes } from '../spec/constants.ts';
import type { OpcodeInfo } from '../spec/constants.ts';
import { formatIpv4, formatIpv6, formatMac } from './address.ts';
import { addressKey } from './address-key.ts';
import { u16, u24, u32, u32le, u64, u8 } from './bytes.ts';
import { remember } from './remember.ts';
import { fieldsOf } from './fields.ts';
import { icrc } from './icrc.ts';
import { ipv4HeaderSum } from './checksum.ts';
import * as layout from './layout.ts';
import type { Ooeth, Packet, PacketFields, Saeth } from './packet.ts';

const ipv6Text = remember((key) =>
  formatIpv6(
    Uint8Array.from(key, (char) => char.charCodeAt(0)),
    0,
  ),
);

/**
 * The lazy view that decode() makes once it has checked that all headers lie within the bytes. It holds offsets only;
 * every getter reads when asked, and those of the hot path (opcode, psn, destQp, ackReq, aethWord, payloadLength,
 * addressKey) make no objects.
 * One class on purpose: a base class for what is in front of the BTH makes decoding a tenth slower.
 */
export class PacketView implements Packet {
  private bytes: Uint8Array;
  private readonly ip: number;
  private readonly bth: number;
  /** where the IP packet ends, by its own length; beyond `bytes` in a truncated capture */
  private readonly end: number;
  private icrcState = -1;
  private isDetached = false;
  private key: string | undefined;

  constructor(bytes: Uint8Array, ip: number, bth: number, end: number) {
    this.bytes = bytes;
    this.ip = ip;
    this.bth = bth;
    this.end = end;
  }

  get frame(): Uint8Array {
    return this.bytes.length <= this.end ? this.bytes : this.bytes.subarray(0, this.end);
  }
  get info(): OpcodeInfo | undefined {
    return opcodes[this.bytes[this.bth]!];
  }
  get dstMac(): string {
    return formatMac(this.bytes, 0);
  }
  get srcMac(): string {
    return formatMac(this.bytes, 6);
  }
  get vlanTci(): number | undefined {
    const at = this.ip - 6;
    return at >= 12 && u16(this.bytes, at) === 0x8100 ? u16(this.bytes, at + 2) : undefined;
  }
  get serviceTci(): number | undefined {
    const tags = (this.ip - 14) / 4;
    return tags === 2 || u16(this.bytes, 12) === 0x88a8 ? u16(this.bytes, 14) : undefined;
  }
  get ipVersion(): 4 | 6 {
    return this.bth - this.ip === 28 ? 4 : 6;
  }
  get ipChecksumOk(): boolean {
    return this.ipVersion === 6 || ipv4HeaderSum(this.bytes, this.ip) === 0;
  }
  get srcIp(): string {
    return this.ipVersion === 4
      ? formatIpv4(this.bytes, this.ip + 12)
      : ipv6Text(addressKey(this.bytes, this.ip + 8, 16));
  }
  get dstIp(): string {
    return this.ipVersion === 4
      ? formatIpv4(this.bytes, this.ip + 16)
      : ipv6Text(addressKey(this.bytes, this.ip + 24, 16));
  }
  get addressKey(): string {
    return (this.key ??=
      this.ipVersion === 4
        ? addressKey(this.bytes, this.ip + 12, 8)
        : addressKey(this.bytes, this.ip + 8, 32));
  }
  get trafficClass(): number {
    const { bytes, ip } = this;
    return this.ipVersion === 4 ? u8(bytes, ip + 1) : (u16(bytes, ip) >> 4) & 0xff;
  }
  get ecn(): number {
    return this.trafficClass & 3;
  }
  get hopLimit(): number {
    return u8(this.bytes, this.ip + (this.ipVersion === 4 ? 8 : 7));
  }
  get ipId(): number | undefined {
    return this.ipVersion === 4 ? u16(this.bytes, this.ip + 4) : undefined;
  }
  get dontFragment(): boolean | undefined {
    return this.ipVersion === 4 ? (u8(this.bytes, this.ip + 6) & 0x40) !== 0 : undefined;
  }
  get flowLabel(): number | undefined {
    return this.ipVersion === 6 ? u24(this.bytes, this.ip + 1) & 0xfffff : undefined;
  }
  get srcPort(): number {
    return u16(this.bytes, this.bth - 8);
  }
  get udpChecksum(): number {
    return u16(this.bytes, this.bth - 2);
  }

  get opcode(): number {
    return u8(this.bytes, this.bth);
  }
  get solicited(): boolean {
    return (u8(this.bytes, this.bth + 1) & 0x80) !== 0;
  }
  get migReq(): boolean {
    return (u8(this.bytes, this.bth + 1) & 0x40) !== 0;
  }
  get padCount(): number {
    return (u8(this.bytes, this.bth + 1) >> 4) & 3;
  }
  get tver(): number {
    return u8(this.bytes, this.bth + 1) & 15;
  }
  get pkey(): number {
    return u16(this.bytes, this.bth + 2);
  }
  get fecn(): boolean {
    return (u8(this.bytes, this.bth + 4) & 0x80) !== 0;
  }
  get becn(): boolean {
    return (u8(this.bytes, this.bth + 4) & 0x40) !== 0;
  }
  get resv6(): number {
    return u8(this.bytes, this.bth + 4) & 0x3f;
  }
  get destQp(): number {
    return u24(this.bytes, this.bth + 5);
  }
  get ackReq(): boolean {
    return (u8(this.bytes, this.bth + 8) & 0x80) !== 0;
  }
  get resv7(): number {
    return u8(this.bytes, this.bth + 8) & 0x7f;
  }
  get psn(): number {
    return u24(this.bytes, this.bth + 9);
  }

  /** Offset in the frame of the header that `table` places, -1 where the opcode has none. */
  private at(table: Uint8Array): number {
    const offset = table[this.bytes[this.bth]!]!;
    return offset === 0 ? -1 : this.bth + offset;
  }
  get rdeth(): { eeContext: number } | undefined {
    const at = this.at(layout.rdethAt);
    return at < 0 ? undefined : { eeContext: u24(this.bytes, at + 1) };
  }
  get deth(): { qkey: number; srcQp: number; reserved?: number } | undefined {
    const at = this.at(layout.dethAt);
    if (at < 0) return undefined;
    const reserved = this.bytes[at + 4] ?? 0;
    const deth = { qkey: u32(this.bytes, at), srcQp: u24(this.bytes, at + 5) };
    return reserved === 0 ? deth : { ...deth, reserved };
  }
  get xrceth(): { srq: number } | undefined {
    const at = this.at(layout.xrcethAt);
    return at < 0 ? undefined : { srq: u24(this.bytes, at + 1) };
  }
  get reth(): { va: bigint; rkey: number; dmaLen: number } | undefined {
    const at = this.at(layout.rethAt);
    if (at < 0) return undefined;
    return { va: u64(this.bytes, at), rkey: u32(this.bytes, at + 8), dmaLen: u32(this.bytes, at + 12) };
  }
  get atomicEth(): { va: bigint; rkey: number; swapOrAdd: bigint; compare: bigint } | undefined {
    const at = this.at(layout.atomicEthAt);
    if (at < 0) return undefined;
    const { bytes } = this;
    return {
      va: u64(bytes, at),
      rkey: u32(bytes, at + 8),
      swapOrAdd: u64(bytes, at + 12),
      compare: u64(bytes, at + 20),
    };
  }
  get aeth(): { syndrome: number; msn: number } | undefined {
    const at = this.at(layout.aethAt);
    return at < 0 ? undefined : { syndrome: u8(this.bytes, at), msn: u24(this.bytes, at + 1) };
  }
  get aethWord(): number {
    const at = this.at(layout.aethAt);
    return at < 0 ? -1 : u32(this.bytes, at);
  }
  get atomicOriginal(): bigint | undefined {
    const at = this.at(layout.atomicAckEthAt);
    return at < 0 ? undefined : u64(this.bytes, at);
  }
  get immediate(): number | undefined {
    const at = this.at(layout.immDtAt);
    return at < 0 ? undefined : u32(this.bytes, at);
  }
  get invalidateRkey(): number | undefined {
    const at = this.at(layout.iethAt);
    return at < 0 ? undefined : u32(this.bytes, at);
  }
  get feth(): { placement: number; selectivity: number } | undefined {
    const at = this.at(layout.fethAt);
    if (at < 0) return undefined;
    const low = u8(this.bytes, at + 3);
    return { placement: low & 15, selectivity: (low >> 4) & 3 };
  }

  get ooeth(): Ooeth | undefined {
    const at = this.at(layout.ooethAt);
    if (at < 0) return undefined;
    const { bytes } = this;
    return {
      flags: u8(bytes, at),
      recvWqeSn: u24(bytes, at + 1),
      readWqeSn: u24(bytes, at + 5),
      offset: u32(bytes, at + 8),
    };
  }
  get saeth(): Saeth | undefined {
    const at = this.at(layout.saethAt);
    return at < 0 ? undefined : { flags: u8(this.bytes, at), trigger: u24(this.bytes, at + 1) };
  }

  get payload(): Uint8Array {
    const from = this.bth + layout.bthBytes + layout.extensionBytes[this.opcode]!;
    return this.bytes.subarray(from, from + this.payloadLength);
  }
  get payloadLength(): number {
    const headers = layout.bthBytes + layout.extensionBytes[this.opcode]!;
    return this.end - this.bth - headers - this.padCount - layout.icrcBytes;
  }
  get icrc(): number {
    return this.end > this.bytes.length ? -1 : u32le(this.bytes, this.end - layout.icrcBytes);
  }
  get icrcOk(): boolean {
    if (this.icrcState < 0) {
      const whole = this.end <= this.bytes.length;
      const good = !whole || icrc(this.bytes, this.ip, this.end - layout.icrcBytes) === this.icrc;
      this.icrcState = good ? 1 : 0;
    }
    return this.icrcState === 1;
  }

  /** Bytes of the BTH and of the extension headers. */
  get headerLength(): number {
    return layout.bthBytes + layout.extensionBytes[this.opcode]!;
  }

  /** Writes the BTH and the extension headers there. */
  writeHeaders(into: Uint8Array, at: number): void {
    const { bytes, bth, headerLength } = this;
    for (let i = 0; i < headerLength; i++) into[at + i] = bytes[bth + i]!;
  }

  /**
   * The same packet without the frame behind its headers, and without what the frame is a part of, to be kept for long. All that the headers say
   * stays, and so does whether the ICRC was right.
   */
  detached(): PacketView {
    if (this.isDetached) return this;
    // of a Buffer, slice() would be a view
    const bytes = new Uint8Array(this.bytes.subarray(0, this.bth + this.headerLength));
    const packet = new PacketView(bytes, this.ip, this.bth, this.end);
    packet.icrcState = this.icrcOk ? 1 : 0;
    packet.isDetached = true;
    return packet;
  }

  /** Another packet that went the same way: its BTH and extension headers, the length of its payload, and whether its ICRC was right. */
  another(headers: Uint8Array, payloadLength: number, icrcOk: boolean): PacketView {
    const { bth } = this;
    const bytes = new Uint8Array(bth + headers.length);
    bytes.set(this.bytes.subarray(0, bth));
    bytes.set(headers, bth);
    const pad = (headers[1]! >> 4) & 3;
    const packet = new PacketView(bytes, this.ip, bth, bytes.length + payloadLength + pad + layout.icrcBytes);
    packet.icrcState = icrcOk ? 1 : 0;
    return packet;
  }

  fields(): PacketFields {
    const whole = this.end <= this.bytes.length;
    const computed = whole ? icrc(this.bytes, this.ip, this.end - layout.icrcBytes) : 0;
    return fieldsOf(this, whole ? (computed ^ this.icrc) >>> 0 : 0);
  }
}
