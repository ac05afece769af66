import type { Ledger } from '../rulebook/ledger.ts';
import type { Rule } from '../rules.ts';
import type { When } from '../spot.ts';
import type { Unmet } from './responses/demands.ts';
import type { ResponderState } from './state.ts';

/** What is said of one responder: violations, rules that were exercised, choices, and what is not judged. */
export class ResponderReport {
  readonly #ledger: Ledger;
  readonly #qp: string;
  #reported: Set<Rule> | undefined;

  constructor(ledger: Ledger, qp: string) {
    this.#ledger = ledger;
    this.#qp = qp;
  }

  exercise(rules: readonly Rule[]): void {
    this.#ledger.exercise(rules);
  }

  /** The choices on the way to this state were made. */
  chose(state: ResponderState): void {
    this.#ledger.chose(state);
  }

  skip(why: string, times = 1): void {
    this.#ledger.skip(why, times);
  }

  doubt(why: string): void {
    this.#ledger.doubt(`${this.#qp}: ${why}`);
  }

  violate({ event, t }: When, { rule, expected, observed }: Unmet): void {
    this.#ledger.violate({ rule: rule.id, event, t, qp: this.#qp, expected, observed });
  }

  /** What is wrong in every possible state is so in response after response, and reported once. */
  violateOnce(when: When, failed: Unmet): void {
    if (failed.certain === true) {
      if (this.#reported?.has(failed.rule) === true) return;
      (this.#reported ??= new Set()).add(failed.rule);
    }
    this.violate(when, failed);
  }
}
