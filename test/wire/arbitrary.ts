import fc from 'fast-check';
import { opcodes } from '../../spec/constants.ts';
import type { PacketFields } from '../../wire/index.ts';

/** Every opcode byte that is not reserved. */
export const knownOpcodes: readonly number[] = opcodes.flatMap((info) =>
  info === undefined ? [] : [info.opcode],
);

const uint = (bits: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(0, 1, 2 ** bits - 1, 2 ** (bits - 1)), fc.integer({ min: 0, max: 2 ** bits - 1 }));
const uint64 = fc.oneof(fc.constantFrom(0n, (1n << 64n) - 1n), fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }));
const mac = fc
  .uint8Array({ minLength: 6, maxLength: 6 })
  .map((bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join(':'));
const ip = fc.oneof(
  fc.record({ srcIp: fc.ipV4(), dstIp: fc.ipV4(), ipId: uint(16), dontFragment: fc.boolean() }),
  fc.record({ srcIp: fc.ipV6(), dstIp: fc.ipV6(), flowLabel: uint(20) }),
);
const size = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 256, 1024, 4096), fc.integer({ min: 0, max: 300 }));

/** Sound values for all headers; encode() leaves out those that the opcode has no room for. */
const extensions = fc.record({
  rdeth: fc.record({ eeContext: uint(24) }),
  deth: fc.record({ qkey: uint(32), srcQp: uint(24) }),
  xrceth: fc.record({ srq: uint(24) }),
  reth: fc.record({ va: uint64, rkey: uint(32), dmaLen: uint(32) }),
  atomicEth: fc.record({ va: uint64, rkey: uint(32), swapOrAdd: uint64, compare: uint64 }),
  aeth: fc.record({ syndrome: uint(8), msn: uint(24) }),
  atomicOriginal: uint64,
  immediate: uint(32),
  invalidateRkey: uint(32),
  feth: fc.record({ placement: uint(4), selectivity: uint(2) }),
  ooeth: fc.record({ flags: uint(8), recvWqeSn: uint(24), readWqeSn: uint(24), offset: uint(32) }),
  saeth: fc.record({ flags: uint(8), trigger: uint(24) }),
});

/** Packets of one opcode: every header field at its corners, with and without tags, both IP versions. */
export function packetFields(opcode: number): fc.Arbitrary<PacketFields> {
  const info = opcodes[opcode];
  const bytes =
    info?.kind === 'cnp'
      ? fc.constant(new Uint8Array(16))
      : info?.payload === false
        ? fc.constant(new Uint8Array(0))
        : fc.tuple(size, uint(8)).map(([n, seed]) => new Uint8Array(n).map((_, i) => i * 7 + seed));
  return fc
    .record({
      link: fc.record({ dstMac: mac, srcMac: mac }),
      tags: fc.record({ vlanTci: uint(16), serviceTci: uint(16) }, { requiredKeys: [] }),
      ip,
      above: fc.record({ trafficClass: uint(8), hopLimit: uint(8), srcPort: uint(16) }),
      bth: fc.record({
        solicited: fc.boolean(),
        migReq: fc.boolean(),
        tver: uint(4),
        pkey: uint(16),
        fecn: fc.boolean(),
        becn: fc.boolean(),
        resv6: uint(6),
        destQp: uint(24),
        ackReq: fc.boolean(),
        resv7: uint(7),
        psn: uint(24),
      }),
      extensions,
      payload: bytes,
    })
    .map(({ link, tags, ip, above, bth, extensions, payload }) => ({
      ...link,
      ...tags,
      ...ip,
      ...above,
      opcode,
      ...bth,
      ...extensions,
      payload,
    }));
}

/** Packets of all opcodes. */
export const anyPacketFields: fc.Arbitrary<PacketFields> = fc
  .constantFrom(...knownOpcodes)
  .chain((opcode) => packetFields(opcode));
