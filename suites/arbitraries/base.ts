import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { AccessFlag, PathMtu } from '../../spec/verbs.ts';
import type { Fault, RegionPlan, Scenario, Step } from '../scenario.ts';
import { ipVersion, pathMtu, readDepth, rnrTimer, startPsn } from './scalars.ts';

/** What every scenario of a DUT as responder chooses, whatever its steps. */
export interface Base {
  ip: 4 | 6;
  mtu: PathMtu;
  startPsn: number;
  srq: boolean;
  minRnrTimer: number;
  maxDestRdAtomic: number;
}

const everyAccess: AccessFlag[] = [
  'IBV_ACCESS_LOCAL_WRITE',
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
];

/** All of `everyAccess` that a device of this profile can have. */
export function fullAccess(profile: Profile): AccessFlag[] {
  return everyAccess.filter((flag) => flag !== 'IBV_ACCESS_REMOTE_ATOMIC' || hasAtomics(profile));
}

export function hasAtomics(profile: Profile): boolean {
  return profile.capabilities.includes('atomic');
}

export function base(profile: Profile): fc.Arbitrary<Base> {
  return fc.record({
    ip: ipVersion(profile),
    mtu: pathMtu(profile),
    startPsn: startPsn(),
    srq: profile.capabilities.includes('srq')
      ? fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean())
      : fc.constant(false),
    minRnrTimer: rnrTimer(),
    maxDestRdAtomic: readDepth(profile),
  });
}

/** Bytes of the region that scenarios aim at if nothing else is said: three packets' worth. */
export function regionLength(mtu: number): number {
  return 3 * mtu;
}

export interface Parts {
  steps: Step[];
  regions?: RegionPlan[];
  faults?: Fault[];
  /** access of the responder's QP; full if left out */
  access?: AccessFlag[];
  /** READs and ATOMICs that may be outstanding, in place of the number chosen */
  maxDestRdAtomic?: number;
}

/** The scenario with the DUT as responder that a base and its parts make. */
export function responderScenario(profile: Profile, chosen: Base, parts: Parts): Scenario {
  const { access = fullAccess(profile), maxDestRdAtomic = chosen.maxDestRdAtomic } = parts;
  const requester = {
    startPsn: chosen.startPsn,
    access: [],
    maxDestRdAtomic: 1,
    maxRdAtomic: maxDestRdAtomic,
    minRnrTimer: 12,
    timeout: 14,
    retryCnt: 7,
    // 7 would retry for ever, and a scenario that lacks a receive WQE would never come to rest
    rnrRetry: 6,
  };
  return {
    version: 1,
    dut: 'responder',
    ip: chosen.ip,
    mtu: chosen.mtu,
    requester,
    responder: {
      ...requester,
      startPsn: 0x2000,
      access,
      maxDestRdAtomic,
      maxRdAtomic: 1,
      minRnrTimer: chosen.minRnrTimer,
    },
    regions: parts.regions ?? [{ length: regionLength(chosen.mtu), access: fullAccess(profile), fill: 1 }],
    srq: chosen.srq,
    steps: parts.steps,
    faults: parts.faults ?? [],
  };
}
