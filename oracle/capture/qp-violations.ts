import type { Ledger } from '../rulebook/ledger.ts';
import type { Violation } from '../trace.ts';
import { connectedAnew, orAnew } from './anew.ts';

/** Violations of one QP that are listed. */
const most = 16;

/** What one QP is found to break in a capture: the first violations are listed, the others are counted. */
export class QpViolations {
  readonly #ledger: Ledger;
  #listed = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  add(violation: Violation): void {
    if (this.#listed++ < most) this.#ledger.violate(violation);
    else this.#ledger.skip(`further violations of ${violation.rule} by one QP`);
  }

  /** `otherwise`: what else may be the case. */
  doubt(violation: Violation, otherwise = connectedAnew): void {
    this.#ledger.doubt(orAnew(violation, otherwise));
  }
}
