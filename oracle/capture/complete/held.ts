import { Ledger } from '../../rulebook/ledger.ts';
import type { Violation } from '../../trace.ts';

/** Doubts that are reported one by one. */
const doubtsListed = 16;

/**
 * What is found only where nothing was lost. It is held until the end, since any packet may show that the capture lacks some all
 * the same: then it is in doubt.
 */
export class HeldVerdicts {
  /** for the judges that trust in the capture */
  readonly ledger = new Ledger();
  #contradiction = '';
  #contradictions = 0;
  #doubts: string[] = [];

  /** The capture shows that it lacks packets. */
  contradict(qp: string, why: string): void {
    if (this.#contradictions++ === 0) this.#contradiction = `${qp}: ${why}`;
  }

  doubt(why: string): void {
    if (this.#doubts.length < doubtsListed) this.#doubts.push(why);
    else this.ledger.skip('further doubts of what is certain only where nothing was lost');
  }

  /** Nothing follows: hands everything to the ledger of the capture. */
  finish(all: Ledger): void {
    const { ledger } = this;
    const known = new Set(all.violations.map(place));
    const found = ledger.violations.filter((violation) => !known.has(place(violation)));
    if (this.#contradictions === 0) {
      all.join(ledger);
      for (const violation of found) all.violate(violation);
    } else {
      all.doubt(
        `--complete: the capture lacks packets, ${this.#contradictions} times: ${this.#contradiction}`,
      );
      for (const { qp, rule, observed, expected } of found.slice(0, doubtsListed))
        all.doubt(
          `${qp}: ${observed}, expected ${expected}: ${rule} is broken, or the capture lacks packets`,
        );
    }
    for (const why of this.#doubts) all.doubt(why);
    for (const [why, count] of ledger.notJudged) all.skip(why, count);
    for (const _ of ledger.inconclusive) all.skip('stretches of a connection, as if nothing were lost');
  }
}

function place({ event, qp }: Violation): string {
  return `${event} ${qp}`;
}
