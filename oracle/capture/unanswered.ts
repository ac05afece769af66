import { psnDiff } from '../../wire/psn.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';

/** More than any device has outstanding. */
const kept = 128;

/** The READs and ATOMICs of a requester whose response was not seen, or not its last packet: the newest ones, by PSN. */
export class Unanswered {
  #psns: number[] = [];

  asked(psn: number): void {
    this.#psns.push(psn);
    if (this.#psns.length > kept) this.#psns.shift();
  }

  /** The last packet of a READ may be that of any part of it, so that it goes by the nearest request. */
  answered({ kind, psn, position }: ObservedReply): void {
    if (kind !== 'atomic-ack' && (kind !== 'read-response' || position === 'first')) return;
    const at = this.#psns.findLastIndex((asked) => psnDiff(asked, psn) <= 0);
    if (at >= 0) this.#psns.splice(at, 1);
  }

  /** Whether one of them is older than this PSN. */
  before(psn: number): boolean {
    return this.#psns.some((asked) => psnDiff(asked, psn) < 0);
  }

  clear(): void {
    this.#psns = [];
  }
}
