import type { Ledger } from '../rulebook/ledger.ts';
import type { Violation } from '../trace.ts';

/** Packets of a capture that must have been seen once each before a packet seen again is taken for sent again. */
const enough = 256;
/** Where more of them than one in so many are seen twice, the capture was taken at several places. */
const systematic = 20;
const suspicionsKept = 1000;

/**
 * Whether a capture shows frames twice that were sent once: a mirror of two ports, or a network that doubles them. A repeated
 * packet may then be a copy, and what is wrong only if it was sent again is reported at the end.
 */
export class Copies {
  readonly #ledger: Ledger;
  #once = 0;
  #twice = 0;
  #suspicions: Violation[] = [];

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** A request with a PSN of its own. */
  sawOnce(): void {
    this.#once++;
  }

  /** A request once more, and nothing that calls for it. */
  sawTwice(): void {
    this.#twice++;
  }

  /** Whether frames were seen twice that nothing called for. */
  get found(): boolean {
    return this.#twice > 0;
  }

  /** A rule is broken if the packet was sent again. */
  suspect(violation: Violation): void {
    if (this.#suspicions.length < suspicionsKept) this.#suspicions.push(violation);
    else this.#ledger.skip(`further packets sent again too early (${violation.rule})`);
  }

  finish(): void {
    const suspicions = this.#suspicions;
    this.#suspicions = [];
    if (this.#twice === 0 && this.#once >= enough) {
      for (const violation of suspicions) this.#ledger.violate(violation);
      return;
    }
    for (const { qp, rule, observed, expected } of suspicions) {
      if (this.#twice * systematic > this.#once)
        this.#ledger.skip('packets that come too early, in a capture that shows frames twice');
      else
        this.#ledger.doubt(
          `${qp}: ${observed}, ${expected}: ${rule} is broken, or the network has doubled packets`,
        );
    }
  }
}
