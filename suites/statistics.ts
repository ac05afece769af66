import { opcodes } from '../spec/constants.ts';
import type { Profile } from '../adapters/adapter.ts';
import { membersOf } from './beside.ts';
import { placedLabels } from './ooo/labels.ts';
import type { SuiteProperty } from './property.ts';
import { runsOf } from './runner/budget/presets.ts';
import { schedule } from './runner/schedule.ts';
import type { ResponsePlan, Scenario, Step, WrPlan } from './scenario.ts';
import { packetCount } from './segments.ts';

/** What a scenario reaches, and those beside it, in words that can be counted over many. */
export function labelsOf(scenario: Scenario): Set<string> {
  const all = membersOf(scenario);
  const labels = new Set(all.flatMap((one) => [...labelsOfOne(one)]));
  if (all.length > 1) labels.add(`${all.length} QPs`);
  for (const shared of scenario.beside?.share ?? []) labels.add(`${shared} in common`);
  return labels;
}

function labelsOfOne(scenario: Scenario): Set<string> {
  const { mtu, requester, responder, service } = scenario;
  const labels = new Set([
    `mtu ${mtu}`,
    `IPv${scenario.ip}`,
    scenario.srq ? 'SRQ' : 'own receive queue',
    ...(service === undefined || service === 'RC'
      ? [`RNR timer code ${responder.minRnrTimer}`, `max_dest_rd_atomic ${responder.maxDestRdAtomic}`]
      : unreliableLabels(scenario, service)),
    ...scenario.faults.map((fault) => `fault ${fault.action.kind} ${fault.direction}`),
  ]);
  if (((requester.startPsn + 64) & 0xffffff) < 64) labels.add('start PSN near the wrap');
  if (Math.abs(requester.startPsn - 0x800000) < 64) labels.add('start PSN near 2^23');
  for (const region of scenario.regions) {
    if (region.foreignPd === true) labels.add('region on a foreign PD');
    if (region.access.length < 4) labels.add('region with a right missing');
  }
  if (scenario.dut === 'requester') for (const label of requesterLabels(scenario)) labels.add(label);
  if (scenario.peer === 'same-device') labels.add('both ends on the device');
  if (scenario.cqe !== undefined) labels.add('small CQ');
  if (responder.ownDomain === true) labels.add('SRQ on another PD than its QP');
  if (scenario.cqs === 'apart') labels.add('CQs apart');
  if (scenario.ooo === true) for (const label of placedLabels(scenario)) labels.add(label);
  let burst = 0;
  for (const step of scenario.steps) {
    if (step.do === 'settle') burst = 0;
    if (step.do === 'inject' && ++burst > 1) labels.add('requests in flight together');
    for (const label of stepLabels(step, scenario)) labels.add(label);
  }
  return labels;
}

function stepLabels(step: Step, { mtu, peer, dut }: Scenario): string[] {
  switch (step.do) {
    case 'inject':
      return packetLabels(step.packet, mtu);
    case 'modify_qp':
      return [`modify_qp ${step.state ?? 'attributes alone'}`];
    case 'post_send':
      return dut === 'responder' || peer === undefined ? [`live ${step.wr.opcode}`] : [];
    case 'respond':
      return responseLabels(step.packet);
    case 'post_recv':
      return [
        step.badLkey === true ? 'post_recv with a bad lkey' : step.do,
        ...(step.localFault === undefined ? [] : [`post_recv with local fault ${step.localFault}`]),
        ...((step.sges ?? 1) > 1 ? ['post_recv with several elements'] : []),
      ];
    case 'await':
    case 'finish':
    case 'settle':
    case 'sleep':
    case 'reinject':
    case 'query_qp':
    case 'query_device':
    case 'reg_mr':
    case 'resize_cq':
    case 'destroy':
    case 'dereg_mr':
    case 'rereg_mr':
    case 'alloc_mw':
    case 'dealloc_mw':
    case 'write_buffer':
    case 'query_srq':
    case 'query_port':
    case 'query_gid':
    case 'query_pkey':
      return [step.do];
    case 'modify_srq':
      return [
        ...(step.limit === undefined ? [] : ['SRQ limit armed']),
        ...(step.maxWr === undefined ? [] : ['SRQ resized']),
      ];
    case 'req_notify_cq':
      return [`CQ armed${step.solicitedOnly === true ? ' for solicited completions' : ''}`];
    case 'gid':
      return [`address ${step.present ? 'added' : 'removed'}`];
    case 'link':
      return [`link ${step.up ? 'up' : 'down'}`];
  }
}

/** What a scenario of an unreliable service reaches: its labels say so, as those of reliable ones are meant without. */
function unreliableLabels({ dut, ip, mtu, srq, steps }: Scenario, service: 'UC' | 'UD'): string[] {
  const labels = [`${service} ${dut}`, `${service} IPv${ip}`, `${service} mtu ${mtu}`];
  if (srq) labels.push(`${service} SRQ`);
  for (const step of steps) {
    if (step.do === 'inject') {
      const { operation, defect, payload, psn, qkey } = step.packet;
      if (typeof operation === 'string') labels.push(`${service}_${operation}`);
      else labels.push(`${service} reserved opcode`);
      if (defect !== undefined) labels.push(`${service} ${defectLabel(defect)}`);
      if (payload.mtus === 0 && payload.bytes === 0) labels.push(`${service} without payload`);
      if (psn.offset !== 0) labels.push(`${service} PSN out of turn`);
      if (step.packet.solicited === true) labels.push(`${service} solicited`);
      if (qkey !== undefined) labels.push('Q_Key of its own');
      if (step.packet.source !== undefined) labels.push('datagram of another QP');
    } else if (step.do === 'post_send') {
      const { wr } = step;
      labels.push(`${service} ${wr.opcode}`);
      if (wr.length > mtu) labels.push(`${service} message of several packets, mtu ${mtu}`);
      if (wr.length === 0) labels.push(`${service} zero length ${wr.opcode}`);
      for (const flag of ['inline', 'solicited', 'nobody', 'path', 'rawOpcode', 'qkey'] as const)
        if (wr[flag] !== undefined) labels.push(`${service} posted with ${flag}`);
      if ((wr.sges ?? 1) > 1) labels.push(`${service} posted with several elements`);
      if (wr.localFault !== undefined) labels.push(`${service} posted with local fault ${wr.localFault}`);
    } else if (step.do === 'modify_qp') labels.push(`${service} ${step.state ?? 'attributes alone'}`);
  }
  return labels;
}

/** What a DUT as requester is set up with and asked to do. */
function requesterLabels({ requester, mtu, steps, peer, service = 'RC' }: Scenario): string[] {
  if (service !== 'RC') return [];
  const labels = [
    'DUT as requester',
    `requester: mtu ${mtu}`,
    `timeout ${requester.timeout}`,
    `retry_cnt ${requester.retryCnt}`,
    `rnr_retry ${requester.rnrRetry}`,
    `max_rd_atomic ${requester.maxRdAtomic}`,
    peer === undefined ? 'live peer' : 'scripted peer',
  ];
  const wrs = steps.flatMap((step) => (step.do === 'post_send' ? [step.wr] : []));
  const psns = (wr: WrPlan): number => packetCount(wr.length, mtu);
  const last = wrs.reduce((sum, wr) => sum + psns(wr), requester.startPsn);
  if (last > 0x1000000) labels.push('PSNs of the requester wrap');
  for (const wr of wrs) {
    labels.push(`posted ${wr.opcode}`);
    if (wr.length === 0) labels.push(`zero length ${wr.opcode}`);
    if (wr.opcode === 'IBV_WR_RDMA_READ' && psns(wr) > 1) labels.push('READ of several packets');
    for (const flag of ['fence', 'inline', 'badLkey', 'badRkey', 'solicited'] as const)
      if (wr[flag] === true) labels.push(`posted with ${flag}`);
    if (!wr.signaled) labels.push('posted unsignaled');
  }
  const reads = longestRun(steps);
  const depth = requester.maxRdAtomic;
  if (reads > depth) {
    labels.push(`READ window of ${depth} exceeded`);
    if (depth > 1 && depth < 16) labels.push('READ window of 2 to 15 exceeded');
  }
  return labels;
}

/** READs and ATOMICs posted without a response in between, at most. */
function longestRun(steps: readonly Step[]): number {
  let longest = 0;
  let run = 0;
  for (const step of steps) {
    if (step.do === 'respond' || step.do === 'finish') run = 0;
    else if (step.do === 'post_send' && /READ|ATOMIC/.test(step.wr.opcode))
      longest = Math.max(longest, ++run);
  }
  return longest;
}

function responseLabels({ reply, psn, defect }: ResponsePlan): string[] {
  const labels = [`response ${reply.kind}`];
  if (reply.kind === 'rnr') labels.push(`RNR NAK code ${reply.timer}`);
  if (reply.kind === 'nak') labels.push(reply.code > 3 ? 'reserved NAK code' : `NAK code ${reply.code}`);
  if (psn.from === 'newest' && psn.offset > 0) labels.push('ghost response');
  if (psn.from === 'oldest' && psn.offset < 0) labels.push('duplicate response');
  if (defect !== undefined) labels.push(`response ${defectLabel(defect)}`);
  return labels;
}

type Injected = Extract<Step, { do: 'inject' }>['packet'];

function defectLabel(defect: NonNullable<Injected['defect']>): string {
  if (defect.kind === 'ignored' || defect.kind === 'unusual') return `defect ${defect.kind} ${defect.field}`;
  return defect.kind === 'frame' ? `defect frame ${defect.part}` : `defect ${defect.kind}`;
}

function packetLabels(packet: Injected, mtu: number): string[] {
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
  if (defect !== undefined) labels.push(defectLabel(defect));
  return labels;
}

/** How many scenarios of a run reach what, sorted by label; a function of its arguments alone. */
export function statistics(
  properties: readonly SuiteProperty[],
  profile: Profile,
  options: { seed?: number; runs?: number } = {},
): Map<string, number> {
  const counts = new Map<string, number>();
  const { seed = 0, runs = runsOf({}, profile) } = options;
  for (const { generated } of schedule(properties, profile, seed, runs, { i: 1, n: 1 })) {
    for (const label of labelsOf(generated.scenario)) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
