import { sharesReceives } from '../arbitraries/shared.ts';
import type { Profile } from '../../adapters/adapter.ts';
import { membersOf } from '../beside.ts';
import type { PacketPlan, Scenario, Step } from '../scenario.ts';

/** Whether a step asks for an ATOMIC operation. */
function isAtomic(step: Step): boolean {
  if (step.do === 'inject') return /FETCH_ADD|COMPARE_SWAP/.test(String(step.packet.operation));
  return step.do === 'post_send' && step.wr.opcode.includes('ATOMIC');
}

const ends = ['requester', 'responder'] as const;

/** Packets that are few enough to be looked at. */
const fewPackets = 4096;

/** All steps on a device. */
function allSteps(scenario: Scenario): Step[] {
  return membersOf(scenario).flatMap(({ steps }) => steps);
}

/** Packets of the messages that a conformant device sends; one that is longer than it can, it refuses. */
function packetsOf({ steps, mtu }: Scenario, { limits }: Profile): number {
  const lengths = steps.map((step) => (step.do === 'post_send' ? step.wr.length * (step.wr.repeat ?? 1) : 0));
  const sent = lengths.filter((length) => length <= limits.maxMessageBytes);
  return sent.reduce((sum, length) => sum + Math.ceil(length / mtu), 0);
}

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
 * Whether a scenario sends a device messages that are longer than it takes (`limits.maxMessageBytes`), which it may refuse. Work requests
 * do not count: what a device does with one that is too long is judged. ee-send-over-responder-max, ee-write-imm-over-responder-max
 */
export function sendsLonger(scenario: Scenario, profile: Profile): boolean {
  return membersOf(scenario).some((one) => isLong(one, profile));
}

/**
 * Whether `changed` asks nothing of a device that its profile leaves out, and no long messages, unless `scenario` does so already: a
 * scenario made of another one must not fail for reasons of its own, nor take a day.
 */
export function fitsAsWell(changed: Scenario, scenario: Scenario, profile: Profile): boolean {
  const { pathMtus, ipVersions, capabilities, limits } = profile;
  const before = membersOf(scenario);
  const after = membersOf(changed);
  const had = (has: (one: Scenario) => boolean): boolean => before.some(has);
  const depth = Math.max(
    limits.maxDestRdAtomic,
    ...before.flatMap((one) => ends.map((end) => one[end].maxDestRdAtomic)),
  );
  return (
    after.every(
      (one) =>
        (pathMtus.includes(one.mtu) || had(({ mtu }) => mtu === one.mtu)) &&
        (ipVersions.includes(one.ip) || had(({ ip }) => ip === one.ip)) &&
        (!one.srq || sharesReceives(profile, one.service) || had(({ srq }) => srq)) &&
        ends.every((end) => one[end].maxDestRdAtomic <= depth),
    ) &&
    (!sendsLonger(changed, profile) || sendsLonger(scenario, profile)) &&
    allPackets(changed, profile) <= Math.max(fewPackets, allPackets(scenario, profile)) &&
    (capabilities.includes('atomic') ||
      !allSteps(changed).some(isAtomic) ||
      allSteps(scenario).some(isAtomic))
  );
}

function allPackets(scenario: Scenario, profile: Profile): number {
  return membersOf(scenario).reduce((sum, one) => sum + packetsOf(one, profile), 0);
}
