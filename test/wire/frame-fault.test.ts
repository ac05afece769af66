import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFrame } from '../../wire/frame-fault.ts';
import {
  addressOfGid,
  encode,
  frameFault,
  gidOfAddress,
  longestFrame,
  type FrameFault,
} from '../../wire/index.ts';

const v4 = encode({ opcode: 4, destQp: 1, psn: 0, payload: new Uint8Array(64) });
const v6 = encode({
  opcode: 4,
  destQp: 1,
  psn: 0,
  payload: new Uint8Array(64),
  srcIp: 'fd00::1',
  dstIp: 'fd00::2',
});
const tagged = encode({ opcode: 4, destQp: 1, psn: 0, vlanTci: 5 });

function changed(frame: Uint8Array, at: number, xor: number): Uint8Array {
  const copy = frame.slice();
  copy[at] = (copy[at] ?? 0) ^ xor;
  return copy;
}

describe('what keeps a frame from being a packet', () => {
  it.each([
    ['IPv4', v4],
    ['IPv6', v6],
    ['a VLAN tag', tagged],
    ['a short frame filled up', encode({ opcode: 4, destQp: 1, psn: 0 })],
  ])('nothing for a sound frame: %s', (_, frame) => {
    expect(frameFault(frame)).toBeUndefined();
  });

  it.each<[string, FrameFault, Uint8Array]>([
    ['ethertype', 'ethertype', changed(v4, 13, 0x10)],
    ['ethertype behind a tag', 'ethertype', changed(tagged, 17, 0x10)],
    ['nothing but addresses', 'ethertype', v4.subarray(0, 12)],
    ['IPv4 checksum', 'ip-header', changed(v4, 14 + 10, 1)],
    ['IPv4 version', 'ip-header', changed(v4, 14, 0x10)],
    ['IPv4 header length', 'ip-header', changed(v4, 14, 0x03)],
    ['IPv4 length', 'ip-header', changed(v4, 14 + 3, 4)],
    ['IPv4 protocol', 'ip-header', changed(v4, 14 + 9, 1)],
    ['IPv6 version', 'ip-header', changed(v6, 14, 0x10)],
    ['IPv6 length', 'ip-header', changed(v6, 14 + 5, 4)],
    ['IPv6 next header', 'ip-header', changed(v6, 14 + 6, 1)],
    ['a frame cut short', 'ip-header', v4.subarray(0, v4.length - 4)],
    ['UDP port', 'udp-header', changed(v4, 14 + 20 + 3, 1)],
    ['UDP length', 'udp-header', changed(v4, 14 + 20 + 5, 4)],
    ['UDP length over IPv6', 'udp-header', changed(v6, 14 + 40 + 5, 4)],
    ['longer than any port takes', 'oversized', new Uint8Array(longestFrame + 1)],
  ])('%s', (_, fault, frame) => {
    expect(frameFault(frame)).toBe(fault);
  });

  it('the opcode has headers for which there is no room', () => {
    // an Acknowledge without its AETH: 4 bytes fewer by both lengths, and a checksum that fits
    const ack = encode({
      opcode: 4,
      destQp: 1,
      psn: 0,
      payload: new Uint8Array(0),
      dontFragment: false,
      ipId: 0,
    });
    expect(frameFault(changed(ack, 14 + 20 + 8, 4 ^ 0x11))).toBe('transport');
  });

  it('is said in a line, with what its BTH says where only the headers behind it are missing', () => {
    const short = encode({ opcode: 4, destQp: 17, psn: 9, vlanTci: 5, dontFragment: false, ipId: 0 });
    expect(describeFrame(changed(short, 18 + 20 + 8, 4 ^ 0x0c))).toBe(
      'no packet: cut short RC RDMA_READ_REQUEST psn 9 qp 0x000011, 62 bytes',
    );
    expect(describeFrame(changed(v4, 13, 0x10))).toBe(`no packet: neither IPv4 nor IPv6, ${v4.length} bytes`);
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.boolean(), (bytes, ip) => {
        const frame = bytes.slice();
        if (ip && frame.length > 13) frame.set([8, 0], 12);
        expect(frameFault(frame)).not.toBeUndefined();
      }),
    );
  });
});

describe('GIDs', () => {
  it('stand for one address each', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const gid = Buffer.from(bytes).toString('hex');
        expect(gidOfAddress(addressOfGid(gid))).toBe(gid);
      }),
    );
    expect(gidOfAddress('10.0.0.1')).toBe('00000000000000000000ffff0a000001');
    expect(addressOfGid('00000000000000000000FFFF0A000001')).toBe('10.0.0.1');
  });

  it.each(['', 'fe80::1', '0'.repeat(31), 'g'.repeat(32)])('refuses "%s"', (text) => {
    expect(() => addressOfGid(text)).toThrow(RangeError);
  });
});
