import type { Judgement, Violation } from '../trace.ts';
import type { Rule } from '../rules.ts';

/** Collects what judging finds, over all connections of a trace. */
export class Ledger {
  readonly violations: Violation[] = [];
  /** by rule index */
  readonly #counts: number[] = [];
  readonly #rules: Rule[] = [];
  readonly observed = new Map<string, number>();
  readonly notJudged = new Map<string, number>();
  readonly inconclusive: string[] = [];
  packets = 0;
  readonly #limit: number;

  /** `limit`: violations kept with their details; beyond it they are only counted under `notJudged`. */
  constructor(limit = 1000) {
    this.#limit = limit;
  }

  exercise(rules: readonly Rule[]): void {
    for (const rule of rules) {
      const count = this.#counts[rule.index];
      if (count === undefined) this.#rules.push(rule);
      this.#counts[rule.index] = (count ?? 0) + 1;
    }
  }

  choice(what: string): void {
    this.observed.set(what, (this.observed.get(what) ?? 0) + 1);
  }

  skip(why: string): void {
    this.notJudged.set(why, (this.notJudged.get(why) ?? 0) + 1);
  }

  doubt(why: string): void {
    if (this.inconclusive.length < this.#limit) this.inconclusive.push(why);
  }

  violate(violation: Violation): void {
    if (this.violations.length < this.#limit) this.violations.push(violation);
    else this.skip(`further violations of ${violation.rule}`);
  }

  judgement(): Judgement {
    const exercised = new Map(this.#rules.map((rule) => [rule.id, this.#counts[rule.index] ?? 0]));
    const { violations, observed, notJudged, inconclusive, packets } = this;
    return { violations, exercised, observed, notJudged, inconclusive, packets };
  }
}
