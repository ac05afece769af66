import { captureLatitude } from '../../spec/latitudes.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { inTime } from '../rulebook/moment.ts';
import type { Found } from '../rulebook/moment.ts';
import type { Violation } from '../trace.ts';
import { reversedKey } from '../../wire/address-key.ts';

const { once, twice } = captureLatitude().packets;
const suspicionsKept = 1000;

/** What was seen of frames that come twice, as plain data. */
export interface CopiesPart {
  once: number;
  twice: number;
  suspicions: Found<Violation>[];
}

/**
 * Whether a capture shows frames twice that were sent once: a mirror of two ports, or a network that doubles them. A repeated
 * packet may then be a copy, and what is wrong only if it was sent again is reported at the end.
 */
export class Copies {
  readonly #ledger: Ledger;
  #once = 0;
  #twice = 0;
  /** addresses of those whose packets were seen twice, in the order of either direction */
  readonly #pairs = new Set<string>();
  #suspicions: Found<Violation>[] = [];

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** A request with a PSN of its own. */
  sawOnce(): void {
    this.#once++;
  }

  /** A request once more, and nothing that calls for it. `addressKey`: of the packet. */
  sawTwice(addressKey: string): void {
    this.#twice++;
    this.#pairs.add(addressKey);
  }

  /** Whether frames between two addresses were seen twice that nothing called for. */
  between(addressKey: string): boolean {
    return this.#twice > 0 && (this.#pairs.has(addressKey) || this.#pairs.has(reversedKey(addressKey)));
  }

  /** A rule is broken if the packet was sent again. */
  suspect(violation: Violation): void {
    if (this.#suspicions.length < suspicionsKept)
      this.#suspicions.push({ what: violation, when: { ...this.#ledger.now } });
    else this.#ledger.skip(furtherOf(violation));
  }

  part(): CopiesPart {
    return { once: this.#once, twice: this.#twice, suspicions: this.#suspicions };
  }

  /** Takes over what was seen of other packets of the same capture. */
  gather(parts: readonly CopiesPart[]): void {
    for (const { once, twice } of parts) {
      this.#once += once;
      this.#twice += twice;
    }
    const all = inTime(parts.map(({ suspicions }) => suspicions));
    this.#suspicions = all.slice(0, suspicionsKept);
    for (const { what, when } of all.slice(suspicionsKept)) this.#ledger.at(when).skip(furtherOf(what));
  }

  finish(): void {
    const suspicions = this.#suspicions;
    this.#suspicions = [];
    if (this.#twice === 0 && this.#once >= once) {
      for (const { what } of suspicions) this.#ledger.violate(what);
      return;
    }
    for (const { what } of suspicions) {
      const { qp, rule, observed, expected } = what;
      if (this.#twice * twice > this.#once)
        this.#ledger.skip('packets that come too early, in a capture that shows frames twice');
      else
        this.#ledger.doubt(
          `${qp}: ${observed}, ${expected}: ${rule} is broken, or the network has doubled packets`,
        );
    }
  }
}

const furtherOf = ({ rule }: Violation): string => `further packets sent again too early (${rule})`;
