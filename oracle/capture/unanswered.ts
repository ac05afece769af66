import { psnDiff } from '../../wire/psn.ts';

/** More than any device has outstanding. */
const kept = 128;

/** The READs and ATOMICs of a requester whose response was not seen, or not its last packet: the newest ones, by PSN. */
export class Unanswered {
  #psns: number[] = [];

  asked(psn: number): void {
    this.#psns.push(psn);
    if (this.#psns.length > kept) this.#psns.shift();
  }

  /** A response that ends one has this PSN; that of a READ may end any part of it, so that it goes by the nearest request. */
  answered(psn: number): void {
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
