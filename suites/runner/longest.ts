import type { Profile } from '../../adapters/adapter.ts';
import { membersOf } from '../beside.ts';
import type { PacketPlan, Scenario } from '../scenario.ts';

/** Bytes that no message may announce: any device refuses more. */
const most = 2 ** 31;

/** How far into its message a packet reaches, and what it announces. */
function extentOf({ place, target, payload }: PacketPlan, before: number, mtu: number): number {
  const offset = place === undefined ? before : place.offset.mtus * mtu + place.offset.bytes;
  const reached = offset + payload.mtus * mtu + payload.bytes;
  const announced = target?.length ?? 0;
  return announced > most ? reached : Math.max(reached, announced);
}

function isLong({ steps, mtu }: Scenario, { limits }: Profile): boolean {
  let before = 0;
  return steps.some((step) => {
    if (step.do !== 'inject') return false;
    const { operation, payload } = step.packet;
    if (/_(FIRST|ONLY)/.test(String(operation))) before = 0;
    const extent = extentOf(step.packet, before, mtu);
    before += payload.mtus * mtu + payload.bytes;
    return extent > limits.maxMessageBytes;
  });
}

/**
 * Whether a scenario sends a device messages that are longer than it takes (`limits.maxMessageBytes`), which it may refuse. Work requests are
 * no matter: what a device does with one that is too long is said. ee-send-over-responder-max, ee-write-imm-over-responder-max
 */
export function sendsLonger(scenario: Scenario, profile: Profile): boolean {
  return membersOf(scenario).some((one) => isLong(one, profile));
}
