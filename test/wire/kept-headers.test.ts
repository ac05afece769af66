import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../wire/index.ts';
import type { Packet, PacketFields } from '../../wire/index.ts';
import { detached, KeptHeaders } from '../../wire/capture/kept-headers.ts';
import { anyPacketFields } from './arbitrary.ts';

function packetOf(fields: PacketFields): Packet {
  const decoded = decode(encode(fields));
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  return decoded.packet;
}

/** What the transport headers say, and what is known of what lies behind them. */
function said(packet: Packet): unknown {
  const { opcode, psn, destQp, ackReq, pkey, padCount, solicited, migReq, tver, resv6, resv7, fecn } = packet;
  const { reth, atomicEth, aethWord, immediate, invalidateRkey, payloadLength, icrcOk, dstIp } = packet;
  const bth = { opcode, psn, destQp, ackReq, pkey, padCount, solicited, migReq, tver, resv6, resv7, fecn };
  return { ...bth, reth, atomicEth, aethWord, immediate, invalidateRkey, payloadLength, icrcOk, dstIp };
}

const between = { srcIp: '10.0.0.1', dstIp: '10.0.0.2' };

describe('headers that are kept', () => {
  it('say what the packets said, of the newest of them', () => {
    const many = fc.array(
      fc.tuple(anyPacketFields, fc.nat(), fc.double({ min: 0, max: 1e15, noNaN: true })),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(many, (all) => {
        const kept = new KeptHeaders(8);
        const seen = all.map(([fields, event, t]) => ({
          packet: packetOf({ ...fields, ...between }),
          event,
          t,
        }));
        for (const one of seen) kept.push(one);
        const list = kept.list().map(({ packet, ...when }) => ({ says: said(packet), ...when }));
        expect(list).toEqual(seen.slice(-8).map(({ packet, ...when }) => ({ says: said(packet), ...when })));
      }),
    );
  });

  it('are those of the packet, and hold none of its payload', () => {
    fc.assert(
      fc.property(anyPacketFields, (fields) => {
        const packet = packetOf(fields);
        const copy = detached(packet);
        expect(said(copy)).toEqual(said(packet));
        expect(copy.frame.length).toBeLessThanOrEqual(packet.frame.length - packet.payloadLength - 4);
        expect(copy.frame.buffer.byteLength).toBe(copy.frame.length);
        expect(detached(copy)).toBe(copy);
      }),
    );
  });
});
