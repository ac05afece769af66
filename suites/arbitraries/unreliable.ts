import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { AccessFlag, PathMtu } from '../../spec/verbs.ts';
import type { Fault, QpPlan, RegionPlan, Role, Scenario, Step } from '../scenario.ts';
import { targetLength } from '../rc-requester/jobs.ts';
import { regionLength } from './base.ts';
import { sharesReceives } from './shared.ts';
import { ipVersion, pathMtu, startPsn } from './scalars.ts';

export type Service = 'UC' | 'UD';

/** What every scenario of an unreliable service chooses, whatever its steps. */
export interface UnreliableBase {
  ip: 4 | 6;
  mtu: PathMtu;
  startPsn: number;
  srq: boolean;
}

export interface UnreliableParts {
  steps: Step[];
  regions?: RegionPlan[];
  faults?: Fault[];
  /** whether the responder has an SRQ; as the base chose if left out */
  srq?: boolean;
  /** access of the responder's QP; full if left out */
  access?: AccessFlag[];
  /** nobody answers, and nobody sends but the steps; a live peer of a DUT as requester if left out */
  scripted?: boolean;
  /** what the plans of the ends say beyond the usual */
  requester?: Partial<QpPlan>;
  responder?: Partial<QpPlan>;
  cqe?: number;
}

export const writeAccess: AccessFlag[] = ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE'];

function base(profile: Profile, service: Service): fc.Arbitrary<UnreliableBase> {
  return fc.record({
    ip: ipVersion(profile),
    mtu: pathMtu(profile),
    startPsn: startPsn(),
    srq: sharesReceives(profile, service)
      ? fc.oneof(fc.constant(false), { weight: 2, arbitrary: fc.boolean() })
      : fc.constant(false),
  });
}

/** The scenario that a base and its parts make. */
export function unreliableScenario(
  service: Service,
  dut: Role,
  chosen: UnreliableBase,
  parts: UnreliableParts,
): Scenario {
  // Retries and READ depths are not used by an unreliable QP.
  const plan: QpPlan = {
    startPsn: chosen.startPsn,
    access: [],
    maxDestRdAtomic: 0,
    maxRdAtomic: 0,
    minRnrTimer: 0,
    timeout: 0,
    retryCnt: 0,
    rnrRetry: 0,
  };
  const length = dut === 'responder' ? regionLength(chosen.mtu) : targetLength(chosen.mtu);
  const regions = [{ length, access: writeAccess, fill: 1 }];
  return {
    version: 1,
    dut,
    ...(dut === 'requester' && parts.scripted === true && { peer: 'scripted' as const }),
    service,
    ...(parts.cqe !== undefined && { cqe: parts.cqe }),
    ip: chosen.ip,
    mtu: chosen.mtu,
    requester: { ...plan, ...parts.requester },
    responder: { ...plan, startPsn: 0x2000, access: parts.access ?? writeAccess, ...parts.responder },
    regions: parts.regions ?? (service === 'UC' ? regions : []),
    srq: parts.srq ?? chosen.srq,
    steps: parts.steps,
    faults: parts.faults ?? [],
  };
}

/** Scenarios of a base and something more, whose parts are made from both. */
export function unreliable<T>(
  service: Service,
  dut: Role,
  profile: Profile,
  more: fc.Arbitrary<T>,
  parts: (chosen: UnreliableBase, more: T) => UnreliableParts,
): fc.Arbitrary<Scenario> {
  return fc
    .record({ chosen: base(profile, service), more })
    .map((drawn) => unreliableScenario(service, dut, drawn.chosen, parts(drawn.chosen, drawn.more)));
}
