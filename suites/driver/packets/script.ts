import type { RegisteredMr } from '../../../adapters/adapter.ts';
import { opcodes } from '../../../spec/constants.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { ResponsePlan, Scenario, WrPlan } from '../../scenario.ts';
import { packetCount } from '../../segments.ts';

/** A work request that the DUT took, and the PSNs it uses, READ responses included. */
export interface PostedWork {
  plan: WrPlan;
  /** first PSN */
  psn: number;
  psns: number;
  /** PSN that the newest READ request for it began with */
  requestPsn: number;
}

/**
 * What a scripted peer knows: the work requests posted at the DUT, the request packets that came of them, and what its own
 * responses acknowledge. Needed only to aim crafted responses; verdicts do not rest on it.
 */
export class Script {
  private scenario: Scenario;
  private readonly work: PostedWork[] = [];
  private next: number;
  /** newest PSN that the DUT used, READ responses included; one before the start if none */
  newest: number;
  /** oldest PSN that no response acknowledged */
  oldest: number;
  /** packets seen that a wait may be for, and how many of them were waited for */
  private packets = 0;
  private waited = 0;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    const { startPsn } = scenario.requester;
    this.next = startPsn;
    this.oldest = startPsn;
    this.newest = psnAdd(startPsn, -1);
  }

  /** The DUT took a work request. */
  posted(plan: WrPlan): void {
    // On an out-of-order QP a READ takes one PSN, however long the answer.
    const single =
      plan.opcode.includes('ATOMIC') || (this.scenario.ooo === true && plan.opcode.includes('READ'));
    const psns = single ? 1 : packetCount(plan.length, this.scenario.mtu);
    this.work.push({ plan, psn: this.next, psns, requestPsn: this.next });
    this.next = psnAdd(this.next, psns);
  }

  /** The DUT did not take the newest work request after all. */
  refused(): void {
    this.next = this.work.pop()?.psn ?? this.next;
  }

  /** The DUT began anew, by this plan: RTR or RTS after RESET. */
  restart(scenario: Scenario): void {
    this.scenario = scenario;
    this.work.length = 0;
    const { startPsn } = this.scenario.requester;
    this.next = startPsn;
    this.oldest = startPsn;
    this.newest = psnAdd(startPsn, -1);
  }

  /** A packet of the DUT was seen. */
  seen(packet: Packet): void {
    if (this.scenario.dut === 'responder') return void this.packets++;
    if (packet.info?.kind !== 'request') return;
    this.packets++;
    const work = this.at(packet.psn);
    let last = packet.psn;
    if (work !== undefined && packet.info.operation === 'RDMA_READ_REQUEST') {
      work.requestPsn = packet.psn;
      last = psnAdd(work.psn, work.psns - 1);
    }
    if (psnDiff(last, this.newest) > 0) this.newest = last;
  }

  /** Whether so many request packets came beyond those waited for before. */
  arrived(count: number): boolean {
    return this.packets - this.waited >= count;
  }

  /** That many were waited for; without a number, all that came. */
  taken(count?: number): void {
    this.waited = count === undefined ? this.packets : Math.min(this.packets, this.waited + count);
  }

  /** The work request that a PSN belongs to. */
  at(psn: number): PostedWork | undefined {
    return this.work.find(({ psn: first, psns }) => {
      const d = psnDiff(psn, first);
      return d >= 0 && d < psns;
    });
  }

  /** How many READs and ATOMICs were posted before a work request. */
  readsBefore(work: PostedWork): number {
    return this.work.slice(0, this.work.indexOf(work)).filter(({ plan }) => /READ|ATOMIC/.test(plan.opcode))
      .length;
  }

  /** The number of a work request, from 0. */
  numberOf(work: PostedWork): number {
    return this.work.indexOf(work);
  }

  psnOf({ psn }: Pick<ResponsePlan, 'psn'>): number {
    switch (psn.from) {
      case 'start':
        return psnAdd(this.scenario.requester.startPsn, psn.offset);
      case 'newest':
        return psnAdd(this.newest, psn.offset);
      case 'oldest':
        return psnAdd(this.oldest, psn.offset);
      case 'wr':
      case 'wr-end': {
        const work = this.work[psn.wr];
        // A work request that was never posted would have come next.
        if (work === undefined) return psnAdd(this.next, psn.offset);
        return psnAdd(work.psn, psn.offset + (psn.from === 'wr' ? 0 : work.psns - 1));
      }
    }
  }

  /** Messages that a responder has completed once it has taken everything before `psn`: the MSN of its answers. */
  msnBefore(psn: number): number {
    return this.work.filter((w) => psnDiff(psnAdd(w.psn, w.psns), psn) <= 0).length;
  }

  /** A response with this PSN goes out; unless it refuses, it acknowledges the PSN itself as well as all before it. */
  acknowledged(psn: number, refuses: boolean): void {
    if (psnDiff(psn, this.newest) > 0 || psnDiff(psn, this.oldest) < 0) return;
    this.oldest = refuses ? psn : psnAdd(psn, 1);
  }
}

/** Keys and addresses of regions that no device backs. */
export function inventedRegions(scenario: Scenario): RegisteredMr[] {
  return scenario.regions.map(({ straddles, iova }, i) => ({
    mr: -1 - i,
    addr:
      iova === undefined
        ? 0x10_0000_0000n * BigInt(i + 1) - (straddles === true ? 2n * BigInt(scenario.mtu) : 0n)
        : BigInt(iova),
    lkey: 0x5100_0100 + i,
    rkey: 0x5100_0200 + i,
  }));
}

/** Whether packets with this opcode carry an AETH. */
export function carriesAeth(opcode: number): boolean {
  return opcodes[opcode]?.headers.includes('AETH') === true;
}
