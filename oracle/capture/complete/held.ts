import { Ledger } from '../../rulebook/ledger.ts';
import type { LedgerPart } from '../../rulebook/ledger.ts';
import { inTime } from '../../rulebook/moment.ts';
import type { Moment, Found } from '../../rulebook/moment.ts';
import type { Rule } from '../../rules.ts';
import type { Violation } from '../../trace.ts';

/** Doubts that are reported one by one. */
const doubtsListed = 16;

const furtherDoubts = 'further doubts of what is certain only where nothing was lost';

/** What was found, as plain data. */
export interface HeldPart {
  ledger: LedgerPart;
  /** the first sign that the capture lacks packets */
  contradiction: Found<string> | undefined;
  doubts: Found<string>[];
}

/**
 * What is found only where nothing was lost. It is held until the end, since any packet may show that the capture lacks some all
 * the same: then it is in doubt.
 */
export class HeldVerdicts {
  /** for the judges that trust in the capture */
  readonly ledger: Ledger;
  #contradiction: Found<string> | undefined;
  #doubts: Found<string>[] = [];

  /** `now`: that of the ledger for everything else */
  constructor(now: Moment) {
    this.ledger = new Ledger(undefined, now);
  }

  /** The capture shows that it lacks packets. */
  contradict(qp: string, why: string): void {
    this.#contradiction ??= this.#found(`${qp}: ${why}`);
  }

  doubt(why: string): void {
    if (this.#doubts.length < doubtsListed) this.#doubts.push(this.#found(why));
    else this.ledger.skip(furtherDoubts);
  }

  #found(what: string): Found<string> {
    return { what, when: { ...this.ledger.now } };
  }

  part(): HeldPart {
    return {
      ledger: this.ledger.part(),
      contradiction: this.#contradiction,
      doubts: this.#doubts,
    };
  }

  /** Takes over what was found of other connections of the same capture. */
  gather(parts: readonly HeldPart[], rules: readonly Rule[]): void {
    const doubts = inTime(parts.map((part) => part.doubts));
    this.#doubts = doubts.slice(0, doubtsListed);
    const further = doubts
      .slice(doubtsListed)
      .map(({ when }) => ({ what: { why: furtherDoubts, times: 1 }, when }));
    const own: LedgerPart = {
      violations: [],
      doubts: [],
      skipped: further,
      counts: [],
      choices: [],
      packets: 0,
    };
    this.ledger.gather([...parts.map(({ ledger }) => ledger), own], rules);
    [this.#contradiction] = inTime(parts.map(({ contradiction }) => (contradiction ? [contradiction] : [])));
  }

  /** Nothing follows: hands everything to the ledger of the capture. */
  finish(all: Ledger): void {
    const { ledger } = this;
    const known = new Set(all.violations.map(place));
    const found = ledger.violations.filter((violation) => !known.has(place(violation)));
    if (this.#contradiction === undefined) {
      all.join(ledger);
      for (const violation of found) all.violate(violation);
    } else {
      all.doubt(`--complete: the capture lacks packets, first seen of ${this.#contradiction.what}`);
      for (const { qp, rule, observed, expected } of found.slice(0, doubtsListed))
        all.doubt(
          `${qp}: ${observed}, expected ${expected}: ${rule} is broken, or the capture lacks packets`,
        );
    }
    for (const { what } of this.#doubts) all.doubt(what);
    for (const [why, count] of ledger.notJudged) all.skip(why, count);
    for (const _ of ledger.inconclusive) all.skip('stretches of a connection, as if nothing were lost');
  }
}

function place({ event, qp }: Violation): string {
  return `${event} ${qp}`;
}
