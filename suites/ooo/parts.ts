import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { ipVersion, pathMtu, startPsn } from '../arbitraries/scalars.ts';
import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';
import type { AccessFlag, PathMtu } from '../../spec/verbs.ts';
import type { Fault, RegionPlan, Role, Scenario, Step, WrPlan } from '../scenario.ts';

/** What all properties of out-of-order QPs have in common. */
export const common = { suite: 'ooo', requires: ['ooo'] } as const;

/** Microseconds. */
export const ms = 1000;

/** Lets so many microseconds pass, if any. */
export function pause(us: number): Step[] {
  return us === 0 ? [] : [{ do: 'sleep', us }];
}

/** What every scenario of out-of-order QPs chooses, whatever its steps. */
export interface Base {
  ip: 4 | 6;
  mtu: PathMtu;
  startPsn: number;
  srq: boolean;
  depth: number;
}

export interface Parts {
  steps: Step[];
  mtu?: PathMtu;
  scripted?: true;
  faults?: Fault[];
  regions?: RegionPlan[];
  /** qp_access_flags of the responder; absent: all there are */
  access?: AccessFlag[];
  /** absent: as drawn */
  srq?: boolean;
  depth?: number;
  timeout?: number;
  retryCnt?: number;
  rnrRetry?: number;
  minRnrTimer?: number;
  /** ordinary RC QPs, which take nothing out of order */
  ordinary?: true;
}

export function base(profile: Profile): fc.Arbitrary<Base> {
  const most = Math.min(16, profile.limits.maxDestRdAtomic);
  return fc.record({
    ip: ipVersion(profile),
    // Orders of packets are what matters here, and long ones show no others.
    mtu: fc.oneof(
      { withCrossShrink: true },
      { weight: 12, arbitrary: fc.constant(smallestMtu(profile)) },
      { weight: 1, arbitrary: pathMtu(profile) },
    ),
    startPsn: startPsn(),
    srq: profile.capabilities.includes('srq')
      ? fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean())
      : fc.constant(false),
    depth: fc.oneof(
      { withCrossShrink: true },
      fc.constantFrom(Math.min(4, most), most, 1),
      fc.integer({ min: 1, max: most }),
    ),
  });
}

export function smallestMtu({ pathMtus }: Profile): PathMtu {
  return pathMtus.toSorted((a, b) => a - b)[0] ?? 256;
}

/** Bytes of the region that scenarios aim at. */
export function regionLength(mtu: number): number {
  return 5 * mtu;
}

export function scenarioOf(profile: Profile, dut: Role, chosen: Base, parts: Parts): Scenario {
  const access = fullAccess(profile);
  const depth = parts.depth ?? chosen.depth;
  const plan = {
    maxDestRdAtomic: depth,
    maxRdAtomic: depth,
    minRnrTimer: parts.minRnrTimer ?? 5,
    timeout: parts.timeout ?? 14,
    retryCnt: parts.retryCnt ?? 7,
    rnrRetry: parts.rnrRetry ?? 6,
  };
  return {
    version: 1,
    dut,
    ...(parts.scripted === true && { peer: 'scripted' as const }),
    ...(parts.ordinary !== true && { ooo: true as const }),
    ip: chosen.ip,
    mtu: parts.mtu ?? chosen.mtu,
    requester: { ...plan, startPsn: chosen.startPsn, access: [] },
    responder: { ...plan, startPsn: 0x2000, access: parts.access ?? access },
    regions: parts.regions ?? [{ length: regionLength(chosen.mtu), access, fill: 1 }],
    srq: parts.srq ?? chosen.srq,
    steps: parts.steps,
    faults: parts.faults ?? [],
  };
}

/** Scenarios of a base and something more, whose parts are made from both. */
export function scenarios<T>(
  profile: Profile,
  dut: Role,
  more: fc.Arbitrary<T>,
  parts: (chosen: Base, more: T) => Parts,
): fc.Arbitrary<Scenario> {
  return fc
    .record({ chosen: base(profile), more })
    .map((drawn) => scenarioOf(profile, dut, drawn.chosen, parts(drawn.chosen, drawn.more)));
}

/** The work requests, each with `room` bytes of a region of their own, so that no fence holds one back for another. */
export function apart(wrs: readonly WrPlan[], room: number): { wrs: WrPlan[]; regions: RegionPlan[] } {
  const access: AccessFlag[] = ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ'];
  return {
    wrs: wrs.map((wr, i) => ({ ...wr, offset: i * room })),
    regions: [{ length: wrs.length * room, access, fill: 1 }],
  };
}

/** What a device does as it declares it; the smallest there can be where it says nothing. */
export function limitsOf({
  outOfOrder,
}: Profile): Required<Pick<OutOfOrderProfile, 'window' | 'cap' | 'rto'>> {
  return {
    window: outOfOrder?.window ?? 8,
    cap: outOfOrder?.cap ?? 8,
    rto: outOfOrder?.rto ?? { low: 100_000, high: 500_000, few: 3 },
  };
}
