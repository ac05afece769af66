import type { PacketPlan, Scenario, Step } from '../scenario.ts';

/** What a scenario of out-of-order QPs reaches, in words that can be counted over many. */
export function placedLabels({ dut, steps, requester, faults }: Scenario): string[] {
  const labels = [`out of order, ${dut}`];
  const packets = arriving(steps);
  const seen = new Set<number>();
  let expected = 0;
  for (const packet of packets) {
    const { offset } = packet.psn;
    for (const label of comingLabels(packet, offset, expected, seen)) labels.push(`out of order: ${label}`);
    seen.add(offset);
    while (seen.has(expected)) expected++;
  }
  if (packets.length > 0 && expected < Math.max(...seen) + 1) labels.push('out of order: gap left');
  if (packets.length > 0 && requester.startPsn + Math.max(...seen) > 0xffffff)
    labels.push('out of order: PSNs wrap');
  for (const { action, direction } of faults) labels.push(`out of order: ${action.kind} ${direction}`);
  for (const step of steps) {
    if (step.do === 'post_send') labels.push(`out of order: ${step.wr.opcode}`);
    if (step.do === 'post_send' && step.wr.fence === true) labels.push('out of order: fence');
    if (step.do === 'post_recv' && step.again === true) labels.push('out of order: buffers overlap');
    if (step.do === 'respond' && step.packet.selective !== undefined)
      labels.push('out of order: acknowledged selectively');
  }
  return labels;
}

/** The crafted packets in the order in which they arrive, copies among them. */
function arriving(steps: readonly Step[]): PacketPlan[] {
  const packets: PacketPlan[] = [];
  for (const step of steps) {
    const packet =
      step.do === 'inject'
        ? step.packet
        : step.do === 'reinject'
          ? packets[packets.length - 1 - step.back]
          : undefined;
    if (packet !== undefined) packets.push(packet);
  }
  return packets;
}

function comingLabels(
  { operation }: PacketPlan,
  offset: number,
  expected: number,
  seen: ReadonlySet<number>,
): string[] {
  const name = String(operation);
  const early = offset > expected;
  const labels = seen.has(offset) ? [early ? 'duplicate of an early packet' : 'duplicate'] : [];
  if (seen.has(offset)) return labels;
  if (!early && [...seen].some((other) => other > offset)) labels.push('gap filled');
  if (!early) return labels;
  labels.push(`early ${name}`);
  if (/LAST|ONLY/.test(name)) labels.push('last packet early');
  if (offset - expected > 8) labels.push('far ahead');
  return labels;
}
