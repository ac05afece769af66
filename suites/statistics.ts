import { opcodes } from '../spec/constants.ts';
import type { Profile } from '../adapters/adapter.ts';
import type { SuiteProperty } from './property.ts';
import { schedule } from './runner/schedule.ts';
import type { Scenario } from './scenario.ts';

/** What a scenario reaches, in words that can be counted over many. */
export function labelsOf(scenario: Scenario): Set<string> {
  const { mtu, requester, responder } = scenario;
  const labels = new Set([
    `mtu ${mtu}`,
    `IPv${scenario.ip}`,
    scenario.srq ? 'SRQ' : 'own receive queue',
    `RNR timer code ${responder.minRnrTimer}`,
    `max_dest_rd_atomic ${responder.maxDestRdAtomic}`,
    ...scenario.faults.map((fault) => `fault ${fault.action.kind} ${fault.direction}`),
  ]);
  if (((requester.startPsn + 64) & 0xffffff) < 64) labels.add('start PSN near the wrap');
  if (Math.abs(requester.startPsn - 0x800000) < 64) labels.add('start PSN near 2^23');
  for (const region of scenario.regions) {
    if (region.foreignPd === true) labels.add('region on a foreign PD');
    if (region.access.length < 4) labels.add('region with a right missing');
  }
  let burst = 0;
  for (const step of scenario.steps) {
    if (step.do !== 'inject') {
      if (step.do === 'settle') burst = 0;
      if (step.do === 'modify_qp') labels.add(`modify_qp ${step.state}`);
      else if (step.do === 'post_send') labels.add(`live ${step.wr.opcode}`);
      else
        labels.add(step.do === 'post_recv' && step.badLkey === true ? 'post_recv with a bad lkey' : step.do);
      continue;
    }
    if (++burst > 1) labels.add('requests in flight together');
    for (const label of packetLabels(step.packet, mtu)) labels.add(label);
  }
  return labels;
}

function packetLabels(
  packet: Extract<Scenario['steps'][number], { do: 'inject' }>['packet'],
  mtu: number,
): string[] {
  const { operation, payload, psn, target, defect } = packet;
  const labels = [
    typeof operation === 'string' ? operation : `reserved ${opcodes[operation]?.name ?? operation}`,
  ];
  const length = payload.mtus * mtu + payload.bytes;
  if (length === 0) labels.push('no payload');
  else if (length % mtu === 0) labels.push('payload of whole MTUs');
  else if (length % mtu === mtu - 1) labels.push('payload one byte short of an MTU');
  else if (length % mtu === 1) labels.push('payload one byte over an MTU');
  if (psn.offset > 0) labels.push(psn.offset >= 0x7ffffe ? 'PSN ahead by 2^23-1' : 'PSN ahead');
  if (psn.offset < 0) labels.push(psn.offset <= -0x7fffff ? 'PSN behind by 2^23' : 'PSN behind');
  if (target !== undefined) {
    if (target.offset < 0) labels.push('target before its region');
    if (target.length === 0) labels.push('DMALen 0');
    if (target.length > 2 ** 31) labels.push('DMALen above 2^31');
    if (target.rkey === 'bad') labels.push('bad rkey');
    if (operation === 'COMPARE_SWAP' || operation === 'FETCH_ADD') {
      labels.push(target.offset % 8 === 0 ? 'aligned ATOMIC' : 'misaligned ATOMIC');
    }
  }
  if (defect !== undefined)
    labels.push(`defect ${defect.kind}${'field' in defect ? ` ${defect.field}` : ''}`);
  return labels;
}

/** How many scenarios of a run reach what, sorted by label; a function of its arguments alone. */
export function statistics(
  properties: readonly SuiteProperty[],
  profile: Profile,
  options: { seed?: number; runs?: number } = {},
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { generated } of schedule(properties, profile, options.seed ?? 0, options.runs ?? 3000, {
    i: 1,
    n: 1,
  })) {
    for (const label of labelsOf(generated.scenario)) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
