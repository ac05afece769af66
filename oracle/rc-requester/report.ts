import type { Ledger } from '../rulebook/ledger.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import type { When } from '../spot.ts';
import type { Finding } from './requester.ts';
import type { Activity } from './restraint.ts';
import type { RequesterState } from './state.ts';

/** What is said of one requester: violations, rules that were exercised, and why it is judged no further. */
export class RequesterReport {
  readonly #ledger: Ledger;
  readonly #qp: string;
  readonly #reported = new Set<Rule>();
  /** what it was seen to do since everything was last at rest */
  activity: Activity = { sent: false, wentBack: false };

  constructor(ledger: Ledger, qp: string) {
    this.#ledger = ledger;
    this.#qp = qp;
  }

  doubt(why: string): void {
    this.#ledger.doubt(`${this.#qp}: ${why}`);
  }

  exercise(rules: readonly Rule[]): void {
    this.#ledger.exercise(rules);
  }

  /** The rules that have applied on the way to this state. */
  exerciseAll(state: RequesterState): void {
    for (let node = state.applied; node !== undefined; node = node.previous) {
      this.#ledger.exercise(node.rules);
      if (node.rules.some(goesBack)) this.activity.wentBack = true;
    }
    state.applied = undefined;
  }

  violate({ event, t }: When, { rule, expected, observed }: Finding): void {
    this.#ledger.violate({ rule: rule.id, event, t, qp: this.#qp, expected, observed });
  }

  /** What is wrong in every possible state is so in packet after packet, and reported once. */
  violateOnce(when: When, certain: readonly Finding[]): void {
    for (const failed of certain) {
      if (this.#reported.has(failed.rule)) continue;
      this.#reported.add(failed.rule);
      this.violate(when, failed);
    }
  }
}

function goesBack({ outcomes: [outcome = {}] }: Rule): boolean {
  return outcomeWord(outcome, 'goesBack') === 'begins';
}
