import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { CongestionProfile, DcqcnParameters } from '../../spec/congestion.ts';
import type { PacketDefect, PacketPlan, Reply, Scenario, Step } from '../scenario.ts';

/** Of a device that says nothing: what scenarios are made for does not matter, since they are not run there. */
const unknown: CongestionProfile & { dcqcn: DcqcnParameters } = {
  lineRate: 100e9,
  cnp: { interval: 50_000, scope: 'qp' },
  dcqcn: {
    g: 1 / 256,
    initialAlpha: 1,
    alphaSlot: 55_000,
    decreaseSlot: 50_000,
    minDecreaseFactor: 0.5,
    minRate: 1e6,
    timer: 55_000,
    bytes: 10e6,
    threshold: 5,
    activeIncrease: 40e6,
    hyperIncrease: 400e6,
    clampTarget: true,
  },
};

export function congestionOf({ congestion }: Profile): CongestionProfile {
  return congestion ?? unknown;
}

export function dcqcnOf(profile: Profile): DcqcnParameters {
  return congestionOf(profile).dcqcn ?? unknown.dcqcn;
}

export function sleep(ns: number): Step {
  return { do: 'sleep', us: Math.max(1, Math.round(ns / 1000)) };
}

/** ECN bits of a packet at its receiver, CE most of all. */
export function ecn(): fc.Arbitrary<0 | 1 | 2 | 3> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant<3>(3) },
    { weight: 2, arbitrary: fc.constantFrom<0 | 1 | 2>(2, 1, 0) },
  );
}

/** A wait in relation to the interval between two CNPs; none most of all. */
export function pauseOf(profile: Profile): fc.Arbitrary<Step[]> {
  const { interval } = congestionOf(profile).cnp;
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant<Step[]>([]) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(0.2, 0.6, 1, 1.1, 2.5).map((share): Step[] => [sleep(share * interval)]),
    },
  );
}

/** A CNP, and the time in which the rate of its flow is cut. */
export function cut({ decreaseSlot }: DcqcnParameters): Step[] {
  return [cnp({ ecn: 1 }), sleep(decreaseSlot * 1.1)];
}

/** A CNP that reaches the DUT. */
export function cnp(more: Partial<Extract<Reply, { kind: 'cnp' }>> = {}, defect?: PacketDefect): Step {
  return {
    do: 'respond',
    packet: {
      reply: { kind: 'cnp', ...more },
      psn: { from: 'start', offset: 0 },
      ...(defect !== undefined && { defect }),
    },
  };
}

/** The scenario at a path MTU that lets a message of some kilobytes do with few packets. */
export function wide(profile: Profile, scenario: Scenario): Scenario {
  const largest = profile.pathMtus.reduce((a, b) => (b > a ? b : a));
  return scenario.mtu >= 1024 ? scenario : { ...scenario, mtu: largest };
}

/** A packet as it comes to its receiver. */
export function coming(packet: PacketPlan, bits: 0 | 1 | 2 | 3): Step {
  return { do: 'inject', packet: { ...packet, ecn: bits } };
}
