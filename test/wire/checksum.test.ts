import { describe, expect, it } from 'vitest';
import { decode, encode, reseal, udpChecksum, udpChecksumFits } from '../../wire/index.ts';

/** A datagram of UDP in IPv4 or IPv6 without Ethernet payload of its own: `data` behind the ports, length and checksum. */
function frame(v4: boolean, addresses: number[], ports: [number, number], data: number[]): Uint8Array {
  const length = 8 + data.length;
  const word = (value: number): number[] => [value >> 8, value & 0xff];
  const ip = v4
    ? [0x45, 0, ...word(20 + length), 0, 0, 0, 0, 64, 17, 0, 0, ...addresses]
    : [0x60, 0, 0, 0, ...word(length), 17, 64, ...addresses];
  return Uint8Array.from([
    ...Array.from({ length: 12 }, () => 0),
    ...word(v4 ? 0x0800 : 0x86dd),
    ...ip,
    ...ports.flatMap(word),
    ...word(length),
    ...word(0xabcd),
    ...data,
  ]);
}

describe('the UDP checksum', () => {
  it('is the complement of the sum over pseudo header, header and data', () => {
    // 10.0.0.1 + 10.0.0.2 + protocol 17 + length 12, twice: 0a00+0001+0a00+0002+0011+000c+0035+1000+000c+6162+6300
    const sum = 0x0a00 + 1 + 0x0a00 + 2 + 17 + 11 + 0x35 + 0x1000 + 11 + 0x6162 + 0x6300;
    const sent = frame(true, [10, 0, 0, 1, 10, 0, 0, 2], [0x35, 0x1000], [0x61, 0x62, 0x63]);
    expect(udpChecksum(sent)).toBe(~((sum & 0xffff) + (sum >>> 16)) & 0xffff);
  });

  it('is FFFFh where it comes to 0', () => {
    const zeros = [0, 0, 0, 0, 0, 0, 0, 0];
    // 17 + 10 + 10 + data = FFFFh
    const sent = frame(true, zeros, [0, 0], [0xff, 0xff - 37]);
    expect(udpChecksum(sent)).toBe(0xffff);
  });

  it('takes all of the addresses of IPv6', () => {
    const addresses = Array.from({ length: 32 }, (_, i) => i);
    const one = udpChecksum(frame(false, addresses, [1, 2], [3, 4]));
    for (const at of addresses) {
      const other = addresses.with(at, addresses[at]! ^ 0x80);
      expect(udpChecksum(frame(false, other, [1, 2], [3, 4]))).not.toBe(one);
    }
  });

  it('does not depend on the checksum that stands there, and leaves the ICRC right', () => {
    const fields = {
      dstMac: '02:00:00:00:00:01',
      srcMac: '02:00:00:00:00:02',
      srcIp: '192.0.2.1',
      dstIp: '192.0.2.2',
      srcPort: 7,
      opcode: 4,
      destQp: 1,
      psn: 1,
      payload: Uint8Array.from([1, 2, 3]),
    };
    const plain = encode(fields);
    const sum = udpChecksum(plain);
    const again = encode({ ...fields, udpChecksum: sum });
    expect(udpChecksum(again)).toBe(sum);
    const decoded = decode(again);
    expect(decoded.kind === 'packet' && [decoded.packet.icrcOk, decoded.packet.udpChecksum]).toEqual([
      true,
      sum,
    ]);
  });

  it('fits where it is 0 or right, also behind a VLAN tag, and follows what is altered on purpose', () => {
    const fields = {
      dstMac: '02:00:00:00:00:01',
      srcMac: '02:00:00:00:00:02',
      srcIp: '192.0.2.1',
      dstIp: '192.0.2.2',
      opcode: 4,
      destQp: 1,
      psn: 1,
      payload: Uint8Array.from([1, 2, 3, 4]),
    };
    for (const tag of [{}, { vlanTci: 5 }]) {
      const plain = encode({ ...fields, ...tag });
      const summed = encode({ ...fields, ...tag, udpChecksum: udpChecksum(plain) });
      expect([plain, summed].map(udpChecksumFits)).toEqual([true, true]);
      const altered = summed.slice();
      altered[altered.length - 5] = 9;
      expect(udpChecksumFits(altered)).toBe(false);
      expect(udpChecksumFits(reseal(altered))).toBe(true);
      expect(udpChecksumFits(summed.slice(0, -2))).toBe(false);
      plain[plain.length - 5] = 9;
      const sealed = decode(reseal(plain));
      expect(sealed.kind === 'packet' && sealed.packet.udpChecksum).toBe(0);
    }
  });

  it('is refused for a frame that has been cut', () => {
    expect(() => udpChecksum(encodeCut())).toThrow(RangeError);
  });
});

function encodeCut(): Uint8Array {
  return frame(true, [10, 0, 0, 1, 10, 0, 0, 2], [1, 2], [3, 4, 5, 6]).slice(0, -2);
}
