import { describe, expect, it } from 'vitest';
import { bytes } from '../trace/packets.ts';
import type { Trace } from '../trace/trace.ts';
import { ud } from './setup.ts';

const front = 40;
const at = 4096;
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const judged = (trace: Trace): string[] => trace.settle().broken();

/** A datagram of 8 bytes, received. */
const received = (fields: object = {}): Trace =>
  ud()
    .recv(64)
    .to('SEND_ONLY', 0, { payload: bytes(8), ...fields })
    .received(1, front + 8, { grh: true })
    .settle();

describe('the GRH of a datagram', () => {
  const ipv6 = { srcIp: 'fd00::2', dstIp: 'fd00::1', hopLimit: 64, trafficClass: 0, flowLabel: 0 };
  // next header UDP, hop limit 64, then the addresses
  const addresses = 'fd00 0000 0000 0000 0000 0000 0000 0002  fd00 0000 0000 0000 0000 0000 0000 0001';

  it('is the header of IPv6, but for what may change on the way', () => {
    const read = (text: string, hop = '40'): Trace => received(ipv6).memory(at + 6, hex(`11 ${hop} ${text}`));
    expect(judged(read(addresses))).toEqual([]);
    expect(judged(read(addresses, '3f'))).toEqual([]);
    expect(judged(read(addresses.replace('0002', '0003')))).toEqual(['ud-grh-placed']);
  });

  it('is the header of IPv4 at the end of the 40 bytes; those before it may hold anything', () => {
    const pair = '0a000002 0a000001';
    const read = (offset: number, text: string): Trace => received().memory(at + offset, hex(text));
    expect(judged(read(32, pair))).toEqual([]);
    expect(judged(read(12, pair))).toEqual([]);
    expect(judged(read(32, pair.replace('02', '03')))).toEqual(['ud-grh-placed']);
    expect(judged(read(20, '45'))).toEqual([]);
    expect(judged(read(20, '65'))).toEqual(['ud-grh-placed']);
  });
});
