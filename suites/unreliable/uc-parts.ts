import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { message, type Message } from '../arbitraries/message.ts';
import { at, inject, settle } from '../arbitraries/packets.ts';
import { unreliable, type UnreliableBase, type UnreliableParts } from '../arbitraries/unreliable.ts';
import type { PacketPlan, Scenario, Step } from '../scenario.ts';

export const ucKinds = ['send', 'write', 'write-imm', 'send-imm'] as const;

/** A message that a UC requester might send. */
export function ucMessage(
  profile: Profile,
  mostMtus = 3,
  kinds: readonly (typeof ucKinds)[number][] = ucKinds,
): fc.Arbitrary<Message> {
  return message(profile, kinds, mostMtus);
}

/** Scenarios with the DUT as UC responder. */
export function responders<T>(
  profile: Profile,
  more: fc.Arbitrary<T>,
  parts: (chosen: UnreliableBase, more: T) => UnreliableParts,
): fc.Arbitrary<Scenario> {
  return unreliable('UC', 'responder', profile, more, parts);
}

/** A packet on its way, or lost. */
export interface Sent {
  packet: PacketPlan;
  lost?: boolean;
  /** the driver waits for what it draws */
  wait?: boolean;
}

/** The steps of packets that were sent one after the other, each with its own PSN; the lost ones leave gaps. */
export function sequence(packets: readonly Sent[]): Step[] {
  // `ahead`: PSNs between the one that the responder expects, as the driver counts it, and the sender's next
  let ahead = 0;
  return packets.flatMap(({ packet, lost = false, wait = false }): Step[] => {
    const offset = ahead;
    ahead++;
    if (lost) return [];
    if (offset === 0 || begins(packet)) ahead = 0;
    return [inject(at(packet, offset)), ...(wait ? [settle] : [])];
  });
}

function begins({ operation }: PacketPlan): boolean {
  return typeof operation === 'string' && /_(FIRST|ONLY)/.test(operation);
}
