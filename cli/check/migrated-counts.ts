import { psnDiff } from '../../wire/psn.ts';
import type { Packet } from '../../wire/packet.ts';

/** QPs that are remembered with an alternate path armed. */
const most = 0x10000;
/** Flows to one QP number that are remembered: several hosts may have QPs of the same number. */
const mostFlows = 8;
/** The first response on another path is no further from the last one on the path before: packets under way, and what the capture lacks. */
const window = 256;
/** Doubts that are put in words. */
const mostDoubts = 16;

/** Positive responses to one QP with one pair of addresses, while MigReq is 0. */
interface Armed {
  readonly addressKey: string;
  readonly from: string;
  readonly to: string;
  psn: number;
  msn: number;
  /** what is in doubt if nothing more comes on this path */
  doubt?: string;
}

/**
 * The MSNs of QPs that may have migrated to other addresses. Which QP a packet on another path is from, no packet says: its number may be in use
 * there as well. Only where PSNs go on, MigReq was 0 and is 1, and nothing more comes on the path before, the MSNs have to go on as well.
 */
export class MigratedCounts {
  readonly #armed = new Map<number, Armed[]>();
  readonly #moved = new Set<string>();

  saw({ aethWord, migReq, destQp, icrcOk, addressKey, info, psn, srcIp, dstIp }: Packet): void {
    if (migReq && this.#armed.size === 0) return;
    // a NAK has one of the upper three bits
    if (aethWord < 0 || aethWord >= 0x20000000 || !icrcOk || info?.service !== 'RC') return;
    const msn = aethWord & 0xffffff;
    const flows = this.#armed.get(destQp);
    if (migReq) {
      if (flows !== undefined)
        this.#migrated(flows, { addressKey, from: srcIp, to: dstIp, psn, msn }, destQp);
      return;
    }
    const known = flows?.find((flow) => flow.addressKey === addressKey);
    if (known !== undefined) {
      known.psn = psn;
      known.msn = msn;
      delete known.doubt;
    } else if (flows !== undefined && flows.length < mostFlows)
      flows.push({ addressKey, from: srcIp, to: dstIp, psn, msn });
    else if (flows === undefined && this.#armed.size < most)
      this.#armed.set(destQp, [{ addressKey, from: srcIp, to: dstIp, psn, msn }]);
  }

  /** The first response of a flow whose MigReq is 1. */
  #migrated(flows: readonly Armed[], now: Armed, destQp: number): void {
    const name = `${now.addressKey} ${destQp}`;
    if (this.#moved.has(name) || this.#moved.size >= most) return;
    this.#moved.add(name);
    const near = flows.filter((flow) => Math.abs(psnDiff(now.psn, flow.psn)) <= window);
    if (near.some((flow) => flow.addressKey === now.addressKey || goesOn(flow, now))) return;
    const [before] = near;
    if (before === undefined) return;
    before.doubt =
      `responses to qp 0x${destQp.toString(16).padStart(6, '0')} go on at ${now.from} to ${now.to} behind those at ${before.from} to ${before.to}, ` +
      `MigReq was 0 and is 1, and their MSN ${now.msn} does not go on behind ${before.msn}: ` +
      'a QP has migrated and counts wrong, or they are of another connection';
  }

  /** Why nothing wrong does not mean that all QPs are sound, in words for people. */
  doubts(): string[] {
    const all = [...this.#armed.values()].flatMap((flows) => flows.flatMap(({ doubt }) => doubt ?? []));
    const further = all.length - mostDoubts;
    return [...all.slice(0, mostDoubts), ...(further > 0 ? [`${further} more QPs like these`] : [])];
  }
}

/** Whether no more messages were counted since than PSNs and packets under way may hold, and none less. */
function goesOn(before: Armed, now: Armed): boolean {
  // MSNs and PSNs are both numbers of 24 bits
  const counted = psnDiff(now.msn, before.msn);
  return counted >= 0 && counted <= 2 * window;
}
