import { formatIpv4, formatIpv6, formatMac } from '../address.ts';
import { addressKey } from '../address-key.ts';
import { u16, u24, u8 } from '../bytes.ts';
import { ipv4HeaderSum } from '../checksum.ts';
import { remember } from '../remember.ts';

const ipv6Text = remember((key) =>
  formatIpv6(
    Uint8Array.from(key, (char) => char.charCodeAt(0)),
    0,
  ),
);

/** The lazy view of what is in front of the BTH: Ethernet, VLAN tags, IPv4 or IPv6, UDP. Offsets in bytes from the start of the frame. */
export class FrameView {
  protected readonly bytes: Uint8Array;
  protected readonly ip: number;
  protected readonly bth: number;
  /** where the IP packet ends, by its own length; beyond `bytes` in a truncated capture */
  protected readonly end: number;

  constructor(bytes: Uint8Array, ip: number, bth: number, end: number) {
    this.bytes = bytes;
    this.ip = ip;
    this.bth = bth;
    this.end = end;
  }

  get frame(): Uint8Array {
    return this.bytes.length <= this.end ? this.bytes : this.bytes.subarray(0, this.end);
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
    return this.ipVersion === 4
      ? addressKey(this.bytes, this.ip + 12, 8)
      : addressKey(this.bytes, this.ip + 8, 32);
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
}
