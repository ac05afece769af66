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
    const v4 = hex.startsWith('4');
    const free = new Set(
      v4 ? [1, 8, 10, 11, 26, 27, 32].map((n) => n + 14) : [7, 46, 47, 52, 2, 3].map((n) => n + 14),
    );
    const good = icrc(frame, 14);
    for (let at = 14; at < frame.length - 4; at++) {
      const changed = frame.slice();
      changed[at] = changed[at]! ^ 0x01;
      expect(icrc(changed, 14, frame.length - 4) === good, `byte ${at - 14} of the IP packet`).toBe(
        free.has(at) || (!v4 && at === 15),
      );
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
