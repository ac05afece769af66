import { sharesReceives } from '../arbitraries/shared.ts';
import type { Profile } from '../../adapters/adapter.ts';
import { membersOf } from '../beside.ts';
import type { Scenario, Step } from '../scenario.ts';
import { sendsLonger } from './longest.ts';

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
