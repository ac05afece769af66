import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { ipVersion, pathMtu, startPsn } from '../arbitraries/scalars.ts';
import { targetLength } from '../rc-requester/jobs.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { AttrPlan, QpPlan, RegionPlan, Role, Scenario, Step, WrPlan } from '../scenario.ts';
import type { QpState } from '../../spec/verbs.ts';

export type Service = 'RC' | 'UC' | 'UD';

/** Bytes in front of the payload in a receive buffer. */
export const headerBytes: Readonly<Record<Service, number>> = { RC: 0, UC: 0, UD: 40 };

/** What every scenario about the verbs chooses. */
export interface Chosen {
  service: Service;
  ip: 4 | 6;
  mtu: Scenario['mtu'];
  startPsn: number;
}

export interface VerbsParts {
  steps: Step[];
  srq?: boolean;
  cqe?: number;
  /** a CQ each for send and receive queue */
  cqs?: 'apart';
  plan?: Partial<QpPlan>;
  /** in place of one that others may do everything with */
  regions?: RegionPlan[];
}

/** Services that a device has, RC first. */
export function servicesOf(profile: Profile): Service[] {
  return (['RC', 'UC', 'UD'] as const).filter((service) =>
    profile.capabilities.some((word) => word === service.toLowerCase()),
  );
}

export function chosen(profile: Profile, among: readonly Service[]): fc.Arbitrary<Chosen> {
  const had = servicesOf(profile).filter((service) => among.includes(service));
  return fc.record({
    service: fc.constantFrom(...(had.length > 0 ? had : (['RC'] as const))),
    ip: ipVersion(profile),
    mtu: pathMtu(profile),
    startPsn: startPsn(),
  });
}

/**
 * The DUT alone with its verbs, at the end given: nobody sends it anything but the steps, and nobody answers. Its QP begins
 * in RTS.
 */
export function verbsScenario(profile: Profile, dut: Role, c: Chosen, parts: VerbsParts): Scenario {
  const reliable = c.service === 'RC';
  const plan: QpPlan = {
    startPsn: c.startPsn,
    access: [],
    maxDestRdAtomic: reliable ? 1 : 0,
    maxRdAtomic: reliable ? 1 : 0,
    minRnrTimer: reliable ? 12 : 0,
    timeout: reliable ? timingOf(profile).calm : 0,
    retryCnt: reliable ? 7 : 0,
    rnrRetry: reliable ? 6 : 0,
  };
  const access = fullAccess(profile).filter((flag) => reliable || flag !== 'IBV_ACCESS_REMOTE_ATOMIC');
  const far: Role = dut === 'requester' ? 'responder' : 'requester';
  const plans = {
    [dut]: { ...plan, ...(dut === 'responder' && c.service !== 'UD' && { access }), ...parts.plan },
    [far]: { ...plan, startPsn: 0x2000, ...(far === 'responder' && c.service !== 'UD' && { access }) },
  } as Record<Role, QpPlan>;
  return {
    version: 1,
    dut,
    ...(dut === 'requester' && { peer: 'scripted' as const }),
    ...(!reliable && { service: c.service }),
    ...(parts.cqe !== undefined && { cqe: parts.cqe }),
    ...(parts.cqs !== undefined && { cqs: parts.cqs }),
    ip: c.ip,
    mtu: c.mtu,
    ...plans,
    regions: parts.regions ?? (c.service === 'UD' ? [] : [{ length: targetLength(c.mtu), access, fill: 1 }]),
    srq: parts.srq ?? false,
    steps: parts.steps,
    faults: [],
  };
}

/** Scenarios of what is chosen and something more, whose parts are made from both. */
export function scenarios<T>(
  profile: Profile,
  dut: Role,
  among: readonly Service[],
  more: fc.Arbitrary<T>,
  parts: (c: Chosen, more: T) => VerbsParts,
): fc.Arbitrary<Scenario> {
  return fc
    .record({ chosen: chosen(profile, among), more })
    .map((drawn) => verbsScenario(profile, dut, drawn.chosen, parts(drawn.chosen, drawn.more)));
}

export const settle: Step = { do: 'settle' };
export const query: Step = { do: 'query_qp' };

/** The DUT's QP is asked for a state. */
export function to(at: Role, state: QpState, attr?: AttrPlan): Step {
  return { do: 'modify_qp', at, state, ...(attr !== undefined && { attr }) };
}

/** From SQE a QP goes back to RTS by its state alone. */
export function recover(at: Role): Extract<Step, { do: 'modify_qp' }> {
  return { do: 'modify_qp', at, state: 'IBV_QPS_RTS', omit: [...requesterAttributes] };
}

const requesterAttributes = ['timeout', 'retry_cnt', 'rnr_retry', 'sq_psn', 'max_rd_atomic'] as const;

export const rts = ['IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'] as const;

export interface SmallSend {
  length: number;
  signaled: boolean;
}

/** A send work request of a few bytes. */
export function smallSend(): fc.Arbitrary<SmallSend> {
  return fc.record({
    length: fc.constantFrom(8, 1, 64, 0),
    signaled: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
  });
}

export function sends(most: number, least = 0): fc.Arbitrary<SmallSend[]> {
  return fc.array(smallSend(), { minLength: least, maxLength: most, size: 'max' });
}

export function wrOf({ length, signaled }: SmallSend, more: Partial<WrPlan> = {}): WrPlan {
  return { opcode: 'IBV_WR_SEND', length, region: 0, offset: 0, signaled, ...more };
}

export function post(at: Role, wr: WrPlan): Step {
  return { do: 'post_send', wr, at };
}

export function receive(at: Role, service: Service, length = 64): Extract<Step, { do: 'post_recv' }> {
  return { do: 'post_recv', length: length + headerBytes[service], at };
}

export function receives(at: Role, service: Service, count: number, length?: number): Step[] {
  return Array.from({ length: count }, () => receive(at, service, length));
}
