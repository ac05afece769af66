import type { Profile } from '../../../adapters/adapter.ts';
import { fitsAsWell } from '../fits.ts';
import { few, firstRegion, shorter } from './reduce-lengths.ts';
import { fewerMembers, simplerBeside } from './reduce-beside.ts';
import type { Fault, PacketPlan, RegionPlan, Scenario, Step } from '../../scenario.ts';

/**
 * Scenarios that say a little less than this one: a step, a fault or a region left out, a value made plain. Made from the
 * data alone, so they also simplify what an arbitrary always puts in, and scenarios that were written by hand. What the device's
 * profile leaves out is not asked for.
 */
export function* reductions(scenario: Scenario, profile: Profile): Generator<Scenario> {
  for (const less of reduced(scenario, profile)) if (fitsAsWell(less, scenario, profile)) yield less;
}

function* reduced(scenario: Scenario, profile: Profile): Generator<Scenario> {
  yield* fewerMembers(scenario);
  yield* simpler(scenario, profile);
  yield* simplerBeside(scenario, (member) => simpler(member, profile));
}

function* simpler(scenario: Scenario, profile: Profile): Generator<Scenario> {
  const { steps, faults, regions } = scenario;
  for (let size = steps.length >> 1; size >= 2; size >>= 1) {
    for (let i = 0; i + size <= steps.length; i += size)
      yield { ...scenario, steps: without(steps, i, size) };
  }
  for (let i = steps.length - 1; i >= 0; i--) yield { ...scenario, steps: without(steps, i, 1) };
  yield* leapt(scenario);
  for (let i = 0; i < faults.length; i++) yield { ...scenario, faults: without<Fault>(faults, i, 1) };
  const used = new Set(steps.map(regionOf));
  if (regions.length > 0 && !used.has(regions.length - 1)) {
    yield { ...scenario, regions: without<RegionPlan>(regions, regions.length - 1, 1) };
  }
  if (scenario.srq) yield { ...scenario, srq: false };
  if (scenario.ip === 6) yield { ...scenario, ip: 4 };
  if (scenario.requester.startPsn !== 0)
    yield { ...scenario, requester: { ...scenario.requester, startPsn: 0 } };
  if (scenario.dut === 'requester' && (scenario.service ?? 'RC') === 'RC') yield* simplerRequester(scenario);
  yield* roomier(scenario);
  const [mtu = scenario.mtu] = profile.pathMtus.toSorted((a, b) => a - b);
  if (mtu < scenario.mtu) yield { ...scenario, mtu };
  for (const [i, step] of steps.entries()) {
    for (const plainer of simplerSteps(step, scenario.mtu))
      yield { ...scenario, steps: steps.with(i, plainer) };
  }
}

/** A crafted request left out, and those behind it moved on by one PSN, the next one or all: what one made a gap, the gap alone may show. */
function* leapt(scenario: Scenario): Generator<Scenario> {
  const { steps } = scenario;
  for (const [i, step] of steps.entries()) {
    if (step.do !== 'inject') continue;
    const before = steps.slice(0, i);
    const rest = steps.slice(i + 1);
    const next = rest.findIndex(({ do: what }) => what === 'inject');
    if (next === -1) continue;
    yield { ...scenario, steps: [...before, ...rest.map((one, at) => (at === next ? ahead(one) : one))] };
    yield { ...scenario, steps: [...before, ...rest.map(ahead)] };
  }
}

/** A crafted request with the PSN one further; other steps as they are. */
function ahead(step: Step): Step {
  if (step.do !== 'inject') return step;
  const { packet } = step;
  return { ...step, packet: { ...packet, psn: { ...packet.psn, offset: packet.psn.offset + 1 } } };
}

/** Queues as large as the scenario needs, and the usual Q_Key, where the plan says otherwise. */
function* roomier({ cqe, ...scenario }: Scenario): Generator<Scenario> {
  if (cqe !== undefined) yield scenario;
  if (scenario.cqs !== undefined) {
    const { cqs: _, ...one } = scenario;
    yield { ...one, ...(cqe !== undefined && { cqe }) };
  }
  const whole: Scenario = { ...scenario, ...(cqe !== undefined && { cqe }) };
  for (const role of ['requester', 'responder'] as const) {
    for (const name of [
      'qkey',
      'maxSendWr',
      'maxRecvWr',
      'maxSge',
      'sqSigAll',
      'ownDomain',
      'route',
      'alternateRoute',
      'firstByte',
    ] as const) {
      if (whole[role][name] === undefined) continue;
      const { [name]: _, ...plan } = whole[role];
      yield { ...whole, [role]: plan };
    }
  }
}

/** Attributes of a DUT as requester, made plain. */
function* simplerRequester(scenario: Scenario): Generator<Scenario> {
  const { requester } = scenario;
  const plain = (changed: Partial<Scenario['requester']>): Scenario => ({
    ...scenario,
    requester: { ...requester, ...changed },
  });
  if (requester.retryCnt > 0) {
    yield plain({ retryCnt: 0 });
    yield plain({ retryCnt: requester.retryCnt - 1 });
  }
  if (requester.rnrRetry > 0) {
    yield plain({ rnrRetry: 0 });
    yield plain({ rnrRetry: requester.rnrRetry - 1 });
  }
  if (requester.timeout !== plainTimeout) yield plain({ timeout: plainTimeout });
}

/** T of 67 ms: neither short nor long. */
const plainTimeout = 14;

function without<T>(list: readonly T[], from: number, count: number): T[] {
  return [...list.slice(0, from), ...list.slice(from + count)];
}

function regionOf(step: Step): number {
  if (step.do === 'inject') return step.packet.target?.region ?? -1;
  if (step.do === 'post_send') return step.wr.region;
  return step.do === 'dereg_mr' ? step.region : -1;
}

function* simplerSteps(step: Step, mtu: number): Generator<Step> {
  if ('linked' in step) {
    const { linked: _, ...apart } = step;
    yield apart;
  }
  if (step.do === 'post_recv') yield* simplerReceive(step);
  if (step.do === 'modify_srq' && step.limit !== undefined && step.maxWr !== undefined) {
    yield { do: step.do, limit: step.limit };
    yield { do: step.do, maxWr: step.maxWr };
  }
  if (step.do === 'modify_qp') yield* simplerModify(step);
  if (step.do === 'post_send') yield* simplerPost(step);
  if (step.do === 'respond') yield* simplerResponse(step);
  if (step.do !== 'inject') return;
  const { packet } = step;
  const plain = (changed: Partial<PacketPlan>): Step => ({ ...step, packet: { ...packet, ...changed } });
  if (packet.solicited === true) yield plain({ solicited: false });
  for (const name of ['source', 'qkey', 'ecn'] as const) {
    if (packet[name] === undefined) continue;
    const { [name]: _, ...usual } = packet;
    yield { ...step, packet: usual };
  }
  for (const less of firstRegion(packet)) yield { ...step, packet: less };
  for (const less of shorter(packet, mtu)) yield { ...step, packet: less };
  if (/^SEND_(FIRST|MIDDLE|LAST)$/.test(String(packet.operation)))
    yield plain({ operation: 'SEND_ONLY', payload: { mtus: 0, bytes: Math.min(packet.payload.bytes, few) } });
  if (packet.psn.offset > 1) yield plain({ psn: { from: 'next', offset: 1 } });
  if (packet.psn.offset < -1) yield plain({ psn: { from: 'next', offset: -1 } });
}

function* simplerReceive(step: Extract<Step, { do: 'post_recv' }>): Generator<Step> {
  const { sges, ...inOne } = step;
  if (sges !== undefined) yield inOne;
  const { localFault, ...sound } = step;
  if (localFault !== undefined) yield sound;
  if (step.length > few) yield { ...step, length: few };
}

function* simplerPost(step: Extract<Step, { do: 'post_send' }>): Generator<Step> {
  const { solicited, inline, fence, ...wr } = step.wr;
  if (solicited !== undefined || inline !== undefined || fence !== undefined) yield { ...step, wr };
  for (const name of [
    'sges',
    'repeat',
    'localFault',
    'rawOpcode',
    'qkey',
    'nobody',
    'path',
    'route',
  ] as const) {
    if (step.wr[name] === undefined) continue;
    const { [name]: _, ...plain } = step.wr;
    yield { ...step, wr: plain };
  }
  const atomic = wr.opcode.includes('ATOMIC');
  if (!atomic && wr.length > few) yield { ...step, wr: { ...step.wr, length: few } };
  if (wr.offset !== 0) yield { ...step, wr: { ...step.wr, offset: 0 } };
  if (wr.opcode.endsWith('_WITH_IMM')) {
    const opcode = wr.opcode === 'IBV_WR_SEND_WITH_IMM' ? 'IBV_WR_SEND' : 'IBV_WR_RDMA_WRITE';
    yield { ...step, wr: { ...step.wr, opcode } };
  }
}

function* simplerResponse(step: Extract<Step, { do: 'respond' }>): Generator<Step> {
  const { msnOffset, ...packet } = step.packet;
  if (msnOffset !== undefined) yield { ...step, packet };
  const { psn } = packet;
  const nearer = Math.sign(psn.offset);
  if (Math.abs(psn.offset) > 1) yield { ...step, packet: { ...packet, psn: { ...psn, offset: nearer } } };
}

function* simplerModify(step: Extract<Step, { do: 'modify_qp' }>): Generator<Step> {
  const { attr = {}, omit = [] } = step;
  for (const key of Object.keys(attr)) {
    const kept = Object.entries(attr).filter(([name]) => name !== key);
    yield { ...step, attr: Object.fromEntries(kept) };
  }
  for (const key of omit) yield { ...step, omit: omit.filter((name) => name !== key) };
}
