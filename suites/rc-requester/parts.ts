import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { PathMtu } from '../../spec/verbs.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { settle } from '../arbitraries/packets.ts';
import { onGrid, range, type Grid } from '../grid.ts';
import { ipVersion, pathMtu, startPsn } from '../arbitraries/scalars.ts';
import type { Fault, PacketDefect, Reply, ResponsePsn, Scenario, Step, WrPlan } from '../scenario.ts';
import { packetsOf, psnsOf, targetLength, wrOf, type Job } from './jobs.ts';
import { detectionUs, timingOf } from './timing.ts';

/** What every scenario of a DUT as requester chooses, whatever its steps. */
export interface Base {
  ip: 4 | 6;
  mtu: PathMtu;
  startPsn: number;
  retryCnt: number;
  rnrRetry: number;
}

/** All values of retry_cnt, and of rnr_retry, of which 7 has no end. */
export const retryCounts: Grid<number> = { name: 'retry_cnt', cells: () => range(0, 7) };
export const rnrRetryCounts: Grid<number> = { name: 'rnr_retry', cells: () => range(0, 7) };

export function base(profile: Profile): fc.Arbitrary<Base> {
  return fc.record({
    ip: ipVersion(profile),
    mtu: pathMtu(profile),
    startPsn: startPsn(),
    retryCnt: onGrid(retryCounts, profile, fc.integer({ min: 0, max: 7 })),
    rnrRetry: onGrid(rnrRetryCounts, profile, fc.integer({ min: 0, max: 7 })),
  });
}

export interface Parts {
  steps: Step[];
  /** far end: scripted by default */
  live?: boolean;
  /** absent: as drawn */
  startPsn?: number;
  timeout?: number;
  retryCnt?: number;
  rnrRetry?: number;
  maxRdAtomic?: number;
  maxDestRdAtomic?: number;
  minRnrTimer?: number;
  srq?: boolean;
  /** bytes of the region that work requests aim at */
  regionLength?: number;
  faults?: Fault[];
}

/** READ and ATOMIC requests that a device can have under way, as far as scenarios go. */
export function mostReads(profile: Profile): number {
  return Math.min(16, profile.limits.maxDestRdAtomic);
}

/** The scenario with the DUT as requester that a base and its parts make. */
export function requesterScenario(profile: Profile, chosen: Base, parts: Parts): Scenario {
  const depth = mostReads(profile);
  const access = fullAccess(profile);
  const maxRdAtomic = parts.maxRdAtomic ?? depth;
  return {
    version: 1,
    dut: 'requester',
    ...(parts.live !== true && { peer: 'scripted' as const }),
    ip: chosen.ip,
    mtu: chosen.mtu,
    requester: {
      startPsn: parts.startPsn ?? chosen.startPsn,
      access: [],
      maxDestRdAtomic: 1,
      maxRdAtomic,
      minRnrTimer: 12,
      timeout: parts.timeout ?? timingOf(profile).calm,
      retryCnt: parts.retryCnt ?? chosen.retryCnt,
      rnrRetry: parts.rnrRetry ?? chosen.rnrRetry,
    },
    responder: {
      startPsn: 0x2000,
      access,
      maxDestRdAtomic: parts.maxDestRdAtomic ?? maxRdAtomic,
      maxRdAtomic: 1,
      minRnrTimer: parts.minRnrTimer ?? 12,
      timeout: 14,
      retryCnt: 7,
      rnrRetry: 6,
    },
    regions: [{ length: parts.regionLength ?? targetLength(chosen.mtu), access, fill: 1 }],
    srq: parts.srq ?? false,
    steps: parts.steps,
    faults: parts.faults ?? [],
  };
}

/** Scenarios of a base and something more, whose parts are made from both. */
export function scenarios<T>(
  profile: Profile,
  more: fc.Arbitrary<T>,
  parts: (chosen: Base, more: T) => Parts,
): fc.Arbitrary<Scenario> {
  return fc
    .record({ chosen: base(profile), more })
    .map((drawn) => requesterScenario(profile, drawn.chosen, parts(drawn.chosen, drawn.more)));
}

export function post(wr: WrPlan): Step {
  return { do: 'post_send', wr };
}

export function respond(reply: Reply, psn: ResponsePsn, defect?: PacketDefect): Step {
  return { do: 'respond', packet: { reply, psn, ...(defect !== undefined && { defect }) } };
}

/** Waits for request packets that need no timer of the DUT. */
export function sent(profile: Profile, packets: number): Step[] {
  return packets === 0 ? [] : [{ do: 'await', packets, us: timingOf(profile).prompt }];
}

/** Waits for packets that the DUT may send only when its ACK timer has run out. */
export function afterTimeout(profile: Profile, timeout: number, packets = 1): Step {
  return { do: 'await', packets, us: detectionUs(profile, timeout) };
}

/** Waits until all work is done that waits for no timer; then for the end of everything. */
export function finish(profile: Profile, us = 0): Step[] {
  return [{ do: 'finish', us: timingOf(profile).prompt + Math.ceil(us) }, settle];
}

/** PSN of the `index`-th packet of the `n`-th work request. */
export function wrPsn(n: number, index = 0): ResponsePsn {
  return { from: 'wr', wr: n, offset: index };
}

/** Work requests posted one after the other. */
export interface Work {
  wrs: WrPlan[];
  mtu: number;
}

/** The work requests of some jobs. */
export function workOf(all: readonly Job[], mtu: number): Work {
  return { wrs: all.map((j) => wrOf(j, mtu)), mtu };
}

export function postAll({ wrs }: Work): Step[] {
  return wrs.map((wr) => post(wr));
}

/** Request packets of work requests from the `n`-th on, of that one from its packet `index` on. */
export function requestsFrom({ wrs, mtu }: Work, n = 0, index = 0): number {
  return wrs.slice(n).reduce((sum, wr, i) => {
    const packets = packetsOf(wr, mtu);
    return sum + (i === 0 && packets > 1 ? Math.max(0, packets - index) : packets);
  }, 0);
}

/** A PSN among those of some work: the `index`-th of the `n`-th work request. */
export interface Spot {
  n: number;
  index: number;
}

/** The spot that a share 0..1 of all PSNs of some work falls on. */
export function spotAt({ wrs, mtu }: Work, share: number): Spot {
  const all = wrs.flatMap((wr, n) => Array.from({ length: psnsOf(wr, mtu) }, (_, index) => ({ n, index })));
  return all[Math.min(all.length - 1, Math.floor(share * all.length))] ?? { n: 0, index: 0 };
}

/** Shares of a whole, its ends most of all. */
export function share(): fc.Arbitrary<number> {
  return fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom(0, 0.999, 0.5),
    fc.integer({ min: 0, max: 99 }).map((n) => n / 100),
  );
}

/** How the answers to a work request come: an Acknowledge, READ responses from packet `index` on, an ATOMIC ACK. */
export function answer({ wrs, mtu }: Work, n: number, index = 0): Step[] {
  const wr = wrs[n];
  if (wr === undefined) return [];
  if (wr.opcode.includes('ATOMIC')) return [respond({ kind: 'atomic' }, wrPsn(n))];
  if (wr.opcode !== 'IBV_WR_RDMA_READ')
    return [respond({ kind: 'ack' }, { from: 'wr-end', wr: n, offset: 0 })];
  const packets = psnsOf(wr, mtu);
  return Array.from({ length: Math.max(0, packets - index) }, (_, i) =>
    respond({ kind: 'read' }, wrPsn(n, index + i)),
  );
}

export function needsResponse(wr: WrPlan): boolean {
  return wr.opcode === 'IBV_WR_RDMA_READ' || wr.opcode.includes('ATOMIC');
}

/** Answers to everything from the `n`-th work request on, in order; coalesced: no Acknowledge that a later answer makes needless. */
export function answerFrom(work: Work, n = 0, index = 0, coalesced = false): Step[] {
  return work.wrs.flatMap((wr, i) => {
    if (i < n) return [];
    if (coalesced && !needsResponse(wr) && i < work.wrs.length - 1) return [];
    return answer(work, i, i === n ? index : 0);
  });
}

/** Work is posted, and all of it sent. */
export function begun(profile: Profile, work: Work): Step[] {
  return [...postAll(work), ...sent(profile, requestsFrom(work))];
}

/** Answers to everything in front of the `n`-th work request. */
export function answerUpTo({ wrs, mtu }: Work, n: number, coalesced = false): Step[] {
  return answerFrom({ wrs: wrs.slice(0, n), mtu }, 0, 0, coalesced);
}
