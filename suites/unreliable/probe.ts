import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { datagram, datagramPacket, grhBytes, type Datagram } from '../arbitraries/datagram.ts';
import { message, packetsOf, type Message } from '../arbitraries/message.ts';
import type { Service } from '../arbitraries/unreliable.ts';
import type { PacketPlan } from '../scenario.ts';

/** One message of either unreliable service, whatever the path MTU. */
export type Probe = { service: 'UC'; message: Message } | { service: 'UD'; datagram: Datagram };

/** `sends`: one that takes a receive WQE and fills it. */
export function probe(
  service: Service,
  profile: Profile,
  { mostMtus = 2, sends = false }: { mostMtus?: number; sends?: boolean } = {},
): fc.Arbitrary<Probe> {
  if (service === 'UD') return datagram().map((drawn) => ({ service: 'UD', datagram: drawn }));
  const kinds = sends
    ? (['send', 'send-imm'] as const)
    : (['send', 'write', 'send-imm', 'write-imm'] as const);
  return message(profile, kinds, mostMtus).map((drawn) => ({ service: 'UC', message: drawn }));
}

/** Its packets, sound. */
export function packetsOfProbe(p: Probe, mtu: number): PacketPlan[] {
  return p.service === 'UC' ? packetsOf(p.message, mtu) : [datagramPacket(p.datagram, mtu)];
}

/** A receive buffer that any probe fits into. */
export function amplyFor(mtu: number): number {
  return 3 * mtu + grhBytes + 64;
}
