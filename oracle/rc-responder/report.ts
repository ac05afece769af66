import type { Ledger } from '../rulebook/ledger.ts';
import type { Rule } from '../rules.ts';
import type { When } from '../spot.ts';
import type { Unmet } from './responses/demands.ts';
import type { ResponderState } from './state.ts';

/** Rules that were exercised, and choices by rule. */
interface Unheard {
  rules: Map<Rule, number>;
  choices: Map<Rule, Map<string, number>>;
}

/** What is said of one responder: violations, rules that were exercised, choices, and what is not judged. */
export class ResponderReport {
  readonly #ledger: Ledger;
  readonly #qp: string;
  #reported: Set<Rule> | undefined;
  /** what was exercised before a response was seen; `undefined`: it counts at once */
  #unheard: Unheard | undefined;

  /** `captured`: its responses may go another way than the requests, so that no rule decides anything before one is seen */
  constructor(ledger: Ledger, qp: string, captured: boolean) {
    this.#ledger = ledger;
    this.#qp = qp;
    if (captured) this.#unheard = { rules: new Map(), choices: new Map() };
  }

  exercise(rules: readonly Rule[]): void {
    const counts = this.#unheard?.rules;
    if (counts === undefined) this.#ledger.exercise(rules);
    else for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }

  /** A response was seen: what its requests called for was judged. */
  heard(): void {
    const unheard = this.#unheard;
    if (unheard === undefined) return;
    this.#unheard = undefined;
    for (const [rule, times] of unheard.rules) this.#ledger.exerciseOne(rule, times);
    for (const [rule, named] of unheard.choices)
      for (const [what, times] of named) this.#ledger.choice(rule, what, times);
  }

  /** The choices on the way to this state were made. */
  chose(state: ResponderState): void {
    const choices = this.#unheard?.choices;
    if (choices === undefined) return this.#ledger.chose(state);
    for (let node = state.choices; node !== undefined; node = node.previous) {
      const named = choices.get(node.rule) ?? new Map<string, number>();
      choices.set(node.rule, named.set(node.what, (named.get(node.what) ?? 0) + 1));
    }
    state.choices = undefined;
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
