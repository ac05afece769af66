import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerBytes, opcodeByName, opcodes } from '../../spec/constants.ts';
import { decode, describe as inWords, encode, parseIp } from '../../wire/index.ts';
import type { Packet, PacketFields } from '../../wire/index.ts';
import { knownOpcodes, packetFields } from './arbitrary.ts';

function packetOf(frame: Uint8Array): Packet {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(`${decoded.kind}: ${decoded.reason}`);
  return decoded.packet;
}

/** Which field carries which extension header. */
const carriers = {
  RDETH: 'rdeth',
  DETH: 'deth',
  XRCETH: 'xrceth',
  RETH: 'reth',
  AtomicETH: 'atomicEth',
  AETH: 'aeth',
  AtomicAckETH: 'atomicOriginal',
  ImmDt: 'immediate',
  IETH: 'invalidateRkey',
  FETH: 'feth',
  OOETH: 'ooeth',
  SAETH: 'saeth',
} as const;

const carried: ReadonlySet<string> = new Set(Object.values(carriers));

const names = knownOpcodes.map((opcode) => [opcodes[opcode]!.name, opcode] as const);

describe.each(names)('%s', (_name, opcode) => {
  const info = opcodes[opcode]!;

  it('comes back from decode() as it went into encode()', () => {
    fc.assert(
      fc.property(packetFields(opcode), (fields) => {
        const frame = encode(fields);
        const packet = packetOf(frame);
        const back: Partial<Record<string, unknown>> = { ...packet.fields() };
        for (const [header, key] of Object.entries(carriers)) {
          const has = info.headers.some((h) => h === header);
          expect([key, back[key]]).toEqual([key, has ? fields[key] : undefined]);
        }
        const own: Partial<Record<string, unknown>> = { ...fields };
        const others = Object.keys(fields).filter((key) => !carried.has(key) && !key.endsWith('Ip'));
        for (const key of others) expect([key, back[key]]).toEqual([key, own[key]]);
        expect(parseIp(packet.srcIp)).toEqual(parseIp(fields.srcIp ?? ''));
        expect(parseIp(packet.dstIp)).toEqual(parseIp(fields.dstIp ?? ''));
        expect(packet.payload).toEqual(fields.payload);
        expect(packet.payloadLength).toBe(fields.payload?.length);
        expect(packet.icrcOk && packet.ipChecksumOk).toBe(true);
        expect(encode(packet.fields())).toEqual(frame);
      }),
      { numRuns: 15 },
    );
  });
});

describe('decode()', () => {
  const base: PacketFields = { opcode: opcodeByName('RC_RDMA_WRITE_ONLY'), destQp: 0x12, psn: 100 };
  const payload = Uint8Array.of(1, 2, 3, 4, 5);
  const frame = encode({ ...base, payload });

  /** The frame with some bytes replaced, IP packet offset given. */
  function altered(from: Uint8Array, changes: Record<number, number>): Uint8Array {
    const copy = from.slice();
    for (const [at, value] of Object.entries(changes)) copy[Number(at)] = value;
    return copy;
  }

  it.each<[string, Uint8Array, number | undefined, string, RegExp]>([
    ['an empty frame', new Uint8Array(0), undefined, 'truncated', /Ethernet header/],
    ['ARP', altered(frame, { 12: 8, 13: 6 }), undefined, 'not-roce', /ethertype 0x0806/],
    ['RoCEv1', altered(frame, { 12: 0x89, 13: 0x15 }), undefined, 'not-roce', /RoCEv1/],
    ['TCP', altered(frame, { 23: 6 }), undefined, 'not-roce', /protocol 6/],
    ['another UDP port', altered(frame, { 37: 0xb8 }), undefined, 'not-roce', /UDP port 4792/],
    ['IP version 5', altered(frame, { 14: 0x55 }), undefined, 'malformed', /version 5/],
    ['a first fragment', altered(frame, { 20: 0x20 }), undefined, 'malformed', /fragment/],
    ['a later fragment', altered(frame, { 21: 1 }), undefined, 'not-roce', /fragment/],
    ['a UDP length that is wrong', altered(frame, { 39: 12 }), undefined, 'malformed', /UDP length 12/],
    ['a longer opcode', altered(frame, { 42: 0x13 }), undefined, 'malformed', /RC_COMPARE_SWAP/],
    ['a frame cut in its IP header', frame.subarray(0, 20), 82, 'truncated', /IPv4 header/],
    ['a frame cut in its payload', frame.subarray(0, 72), 82, 'truncated', /IP packet/],
    ['a frame that was sent too short', frame.subarray(0, 72), 72, 'malformed', /72 bytes ends within/],
  ])('%s', (_what, bytes, capturedOf, kind, reason) => {
    const decoded = decode(bytes, capturedOf);
    expect(decoded.kind).toBe(kind);
    expect('reason' in decoded && decoded.reason).toMatch(reason);
  });

  it('gives IPv4 options and IPv6 extension headers a reason of their own', () => {
    const options = Uint8Array.from([...frame.subarray(0, 34), 1, 1, 1, 0, ...frame.subarray(34)]);
    options[14] = 0x46;
    options[17] = options[17]! + 4;
    expect(decode(options)).toEqual({ kind: 'malformed', reason: 'IPv4 options' });
    const v6 = encode({ ...base, srcIp: 'fd00::1' });
    expect(decode(altered(v6, { 20: 44 }))).toEqual({ kind: 'not-roce', reason: 'IPv6 extension header 44' });
  });

  it('gives the headers of a cut packet, and its full payload length', () => {
    const decoded = decode(frame.subarray(0, 72), frame.length);
    if (decoded.kind !== 'truncated' || decoded.packet === undefined) throw new Error(decoded.kind);
    const { packet } = decoded;
    expect([packet.psn, packet.payloadLength, packet.icrc, packet.icrcOk]).toEqual([100, 5, -1, true]);
    expect(packet.payload).toEqual(payload.subarray(0, 2));
    expect(decode(frame.subarray(0, 65), frame.length)).not.toHaveProperty('packet');
  });

  it('leaves Ethernet padding out of the frame', () => {
    const short = encode({ opcode: opcodeByName('RC_SEND_ONLY'), destQp: 1, psn: 1 });
    const packet = packetOf(Uint8Array.from([...short, 0xaa, 0xbb]));
    expect(packet.frame).toEqual(short);
    expect(packet.icrcOk).toBe(true);
  });

  it('takes a reserved opcode as a packet whose bytes are all payload', () => {
    const packet = packetOf(encode({ opcode: 0x1f, destQp: 1, psn: 1, payload }));
    expect(packet.info).toBeUndefined();
    expect(packet.payload).toEqual(payload);
    expect(packet.aethWord).toBe(-1);
  });

  it('gives both directions and both IP versions an address key of their bytes', () => {
    const key = packetOf(encode({ ...base, srcIp: '10.0.0.1', dstIp: '10.0.0.200' })).addressKey;
    expect(Array.from(key, (c) => c.codePointAt(0))).toEqual([10, 0, 0, 1, 10, 0, 0, 200]);
    const other = packetOf(encode({ ...base, srcIp: '10.0.0.200', dstIp: '10.0.0.1' })).addressKey;
    expect(other).toBe(key.slice(4) + key.slice(0, 4));
    expect(packetOf(encode({ ...base, srcIp: 'fd00::1' })).addressKey).toHaveLength(32);
  });
});

describe('encode()', () => {
  const base: PacketFields = { opcode: 0x04, destQp: 1, psn: 1 };

  it.each<[Partial<PacketFields>, RegExp]>([
    [{ psn: 0x1000000 }, /^psn: 16777216 is no integer in 0\.\.16777215$/],
    [{ psn: -1 }, /^psn: -1/],
    [{ destQp: 1.5 }, /^destQp: 1.5/],
    [{ opcode: 256 }, /^opcode: 256/],
    [{ padCount: 4 }, /^padCount: 4/],
    [{ srcIp: '10.0.0.256' }, /"10.0.0.256" is no IP address/],
    [{ srcIp: 'fd00::1::2' }, /no IP address/],
    [{ srcIp: '10.0.0.1', dstIp: 'fd00::1' }, /two IP versions/],
    [{ srcMac: '02:00' }, /"02:00" is no MAC address/],
    [{ payload: new Uint8Array(65_536) }, /does not fit an IP packet/],
    [{ opcode: 0x06, reth: { va: 1n << 64n, rkey: 0, dmaLen: 0 } }, /^reth.va: 18446744073709551616/],
  ])('refuses %o', (wrong, message) => {
    expect(() => encode({ ...base, ...wrong })).toThrow(RangeError);
    expect(() => encode({ ...base, ...wrong })).toThrow(message);
  });

  it('writes zeros for headers that are not given, and a whole CNP from its opcode', () => {
    expect(packetOf(encode({ ...base, opcode: 0x06 })).reth).toEqual({ va: 0n, rkey: 0, dmaLen: 0 });
    const cnp = packetOf(encode({ opcode: 0x81, destQp: 9, psn: 0 }));
    expect([cnp.becn, cnp.payloadLength, cnp.frame.length]).toEqual([true, 16, 14 + 60]);
  });

  it('puts headers in the order of the constants', () => {
    for (const opcode of knownOpcodes) {
      const info = opcodes[opcode]!;
      const length = info.headers.reduce((n, header) => n + headerBytes[header], 0);
      const empty = encode({ opcode, destQp: 1, psn: 1, payload: new Uint8Array(0) });
      expect([info.name, empty.length]).toEqual([info.name, 14 + 28 + 12 + length + 4]);
    }
  });
});

describe('a packet in words', () => {
  it.each<[PacketFields, string]>([
    [
      { opcode: 0x04, destQp: 0x12, psn: 100, ackReq: true, payload: new Uint8Array(8) },
      'RC SEND_ONLY psn 100 qp 0x000012 ack-req 8 bytes',
    ],
    [
      { opcode: 0x11, destQp: 0x12, psn: 100, aeth: { syndrome: 0x60, msn: 1 } },
      'RC ACKNOWLEDGE psn 100 qp 0x000012 NAK PSN sequence error msn 1',
    ],
    [
      { opcode: 0x11, destQp: 0x12, psn: 7, aeth: { syndrome: 0x2c, msn: 1 }, icrcXor: 1 },
      'RC ACKNOWLEDGE psn 7 qp 0x000012 RNR NAK timer 12 (0.64 ms) msn 1 ICRC wrong',
    ],
    [
      {
        opcode: 0x13,
        destQp: 0x12,
        psn: 8,
        atomicEth: { va: 0x1000n, rkey: 7, swapOrAdd: 258n, compare: 16n },
      },
      'RC COMPARE_SWAP psn 8 qp 0x000012 va 0x1000 rkey 0x00000007 compare 0x10 swap 0x102',
    ],
    [
      { opcode: 0x12, destQp: 0x12, psn: 8, aeth: { syndrome: 0x1f, msn: 1 }, atomicOriginal: 258n },
      'RC ATOMIC_ACKNOWLEDGE psn 8 qp 0x000012 ACK msn 1 original 0x102',
    ],
    [{ opcode: 0x81, destQp: 0x12, psn: 0, trafficClass: 3 }, 'CNP qp 0x000012 CE'],
    [{ opcode: 0x1f, destQp: 1, psn: 5 }, 'opcode 0x1f (reserved) psn 5 qp 0x000001 0 bytes'],
  ])('%#', (fields, words) => {
    expect(inWords(packetOf(encode(fields)))).toBe(words);
  });
});
