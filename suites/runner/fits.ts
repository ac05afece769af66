import type { Profile } from '../../adapters/adapter.ts';
import type { Scenario, Step } from '../scenario.ts';

/** Whether a step asks for an ATOMIC operation. */
function isAtomic(step: Step): boolean {
  if (step.do === 'inject') return /FETCH_ADD|COMPARE_SWAP/.test(String(step.packet.operation));
  return step.do === 'post_send' && step.wr.opcode.includes('ATOMIC');
}

const ends = ['requester', 'responder'] as const;

/** Packets that are few enough to be looked at. */
const fewPackets = 4096;

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
  const most = limits.maxDestRdAtomic;
  return (
    (changed.mtu === scenario.mtu || pathMtus.includes(changed.mtu)) &&
    (changed.ip === scenario.ip || ipVersions.includes(changed.ip)) &&
    (changed.srq === scenario.srq || !changed.srq || capabilities.includes('srq')) &&
    ends.every((end) => changed[end].maxDestRdAtomic <= Math.max(most, scenario[end].maxDestRdAtomic)) &&
    packetsOf(changed, profile) <= Math.max(fewPackets, packetsOf(scenario, profile)) &&
    (capabilities.includes('atomic') || !changed.steps.some(isAtomic) || scenario.steps.some(isAtomic))
  );
}
