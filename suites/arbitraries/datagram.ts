import fc from 'fast-check';
import type { PacketPlan } from '../scenario.ts';
import { packet } from './packets.ts';

/** Bytes in front of the payload in the receive buffer of a UD QP: the Global Route Header, or what stands for it. */
export const grhBytes = 40;

/** One datagram that a UD requester might send, whatever the path MTU. */
export interface Datagram {
  /** `whole`: as many bytes as the path MTU; or that many, at most the path MTU */
  bytes: number | 'whole';
  immediate: number | undefined;
  solicited: boolean;
  /** a receiver does not look at it */
  psnOffset: number;
  ackReq: boolean;
}

export function datagram(): fc.Arbitrary<Datagram> {
  return fc.record({
    bytes: fc.oneof(
      { withCrossShrink: true },
      fc.constantFrom<Datagram['bytes']>(8, 0, 1, 3, 'whole'),
      fc.nat(4096),
    ),
    immediate: fc.option(fc.constantFrom(0, 1, 0xffffffff), { nil: undefined }),
    solicited: fc.boolean(),
    psnOffset: fc.oneof(
      { withCrossShrink: true },
      fc.constantFrom(0, 1, -1, 0x7fffff, -0x800000),
      fc.integer({ min: -0x800000, max: 0x7fffff }),
    ),
    ackReq: fc.boolean(),
  });
}

export function datagramBytes({ bytes }: Datagram, mtu: number): number {
  return bytes === 'whole' ? mtu : Math.min(mtu, bytes);
}

/** The packet of a datagram, sound but for what `more` says. */
export function datagramPacket(d: Datagram, mtu: number, more: Partial<PacketPlan> = {}): PacketPlan {
  return packet(d.immediate === undefined ? 'SEND_ONLY' : 'SEND_ONLY_WITH_IMMEDIATE', {
    payload: { mtus: 0, bytes: datagramBytes(d, mtu) },
    psn: { from: 'next', offset: d.psnOffset },
    ackReq: d.ackReq,
    ...(d.solicited && { solicited: true }),
    ...(d.immediate !== undefined && { immediate: d.immediate }),
    ...more,
  });
}
