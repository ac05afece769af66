import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decode, encode, icrc, reseal } from '../../wire/index.ts';
import type { Packet } from '../../wire/index.ts';

function fixture(name: string): string[][] {
  const text = readFileSync(new URL(`../fixtures/wire/${name}`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split(' '));
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

function packetOf(frame: Uint8Array): Packet {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(`${decoded.kind}: ${decoded.reason}`);
  return decoded.packet;
}

describe.each(fixture('icrc-vectors.txt'))('ICRC vector %s', (_name, hex = '') => {
  const ipPacket = fromHex(hex);
  const ether = fromHex(`020000000002020000000001${hex.startsWith('4') ? '0800' : '86dd'}`);
  const frame = Uint8Array.from([...ether, ...ipPacket]);

  it('is what icrc() computes, with and without an Ethernet header in front', () => {
    const sent = new DataView(ipPacket.buffer).getUint32(ipPacket.length - 4, true);
    expect(icrc(ipPacket, 0)).toBe(sent);
    expect(icrc(frame, 14)).toBe(sent);
    expect(packetOf(frame).icrc).toBe(sent);
    expect(packetOf(frame).icrcOk).toBe(true);
  });

  it('is made again by encode() from the decoded fields', () => {
    expect(encode(packetOf(frame).fields())).toEqual(frame);
  });

  it('covers every bit but those that change on the way', () => {
    // byte of the IP packet -> bits that do not count: IP fields, UDP checksum, byte 4 of the BTH
    const free: Record<number, number> = hex.startsWith('4')
      ? { 1: 0xff, 8: 0xff, 10: 0xff, 11: 0xff, 26: 0xff, 27: 0xff, 32: 0xff }
      : { 0: 0x0f, 1: 0xff, 2: 0xff, 3: 0xff, 7: 0xff, 46: 0xff, 47: 0xff, 52: 0xff };
    const good = icrc(ipPacket, 0);
    // the upper half of byte 0 is the IP version, by which the computation itself chooses
    for (let bit = 4; bit < (ipPacket.length - 4) * 8; bit++) {
      const byte = bit >> 3;
      const mask = 0x80 >> (bit & 7);
      const changed = ipPacket.slice();
      changed[byte] = changed[byte]! ^ mask;
      const expected = ((free[byte] ?? 0) & mask) !== 0;
      const unchanged = icrc(changed, 0, ipPacket.length - 4) === good;
      expect({ byte, mask, unchanged }).toEqual({ byte, mask, unchanged: expected });
    }
  });

  it('is restored by reseal() after a covered bit changed', () => {
    const changed = frame.slice();
    const lastPsnByte = hex.startsWith('4') ? 14 + 39 : 14 + 59;
    changed[lastPsnByte] = changed[lastPsnByte]! ^ 0x80;
    expect(packetOf(changed).icrcOk).toBe(false);
    expect(packetOf(reseal(changed)).icrcOk).toBe(true);
    expect(packetOf(changed).fields().icrcXor).toBeGreaterThan(0);
    expect(encode(packetOf(changed).fields())).toEqual(changed);
  });
});

describe('frames that rxe sent', () => {
  it.each(fixture('rxe-frames.txt'))('psn %s', (psn, destQp, syndrome, msn, ipId, hex = '') => {
    const packet = packetOf(fromHex(hex));
    expect(packet.info?.name).toBe('RC_ACKNOWLEDGE');
    expect(packet.psn).toBe(Number(psn));
    expect(packet.destQp).toBe(Number(destQp));
    expect(packet.aeth).toEqual({ syndrome: Number(syndrome), msn: Number(msn) });
    expect(packet.aethWord).toBe(Number(syndrome) * 0x1000000 + Number(msn));
    expect(packet.ipId).toBe(Number(ipId));
    expect(packet.icrcOk).toBe(true);
    expect(packet.ipChecksumOk).toBe(true);
    expect(encode(packet.fields())).toEqual(fromHex(hex));
  });
});
