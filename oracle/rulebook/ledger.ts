import type { Judgement, Violation } from '../trace.ts';
import { leavesChoice, otherwise } from './choices.ts';
import type { ChoiceNode } from './choices.ts';
import type { Rule } from '../rules.ts';

/** Collects what judging finds, over all connections of a trace. */
export class Ledger {
  readonly violations: Violation[] = [];
  /** by rule index */
  readonly #counts: number[] = [];
  readonly #rules: Rule[] = [];
  readonly #choices = new Map<Rule, Map<string, number>>();
  readonly notJudged = new Map<string, number>();
  readonly inconclusive: string[] = [];
  packets = 0;
  readonly #limit: number;
  /** where violations go that are not certain; `undefined`: they are */
  #tentative: Violation[] | undefined;

  /** `limit`: violations kept with their details; beyond it they are only counted under `notJudged`. */
  constructor(limit = 1000) {
    this.#limit = limit;
  }

  exercise(rules: readonly Rule[]): void {
    const counts = this.#counts;
    for (const rule of rules) {
      const count = counts[rule.index];
      if (count === undefined) this.#rules.push(rule);
      counts[rule.index] = (count ?? 0) + 1;
    }
  }

  /** Counts one choice of a device. */
  choice(rule: Rule, what: string): void {
    const counts = this.#choices.get(rule) ?? new Map<string, number>();
    this.#choices.set(rule, counts.set(what, (counts.get(what) ?? 0) + 1));
  }

  /** Counts the choices noted in a state, and forgets them there. */
  chose(state: { choices: ChoiceNode | undefined }): void {
    for (let node = state.choices; node !== undefined; node = node.previous)
      this.choice(node.rule, node.what);
    state.choices = undefined;
  }

  skip(why: string, times = 1): void {
    this.notJudged.set(why, (this.notJudged.get(why) ?? 0) + times);
  }

  doubt(why: string): void {
    // the two roles of one QP lose sight for one reason
    if (this.inconclusive.at(-1) === why) return;
    if (this.inconclusive.length < this.#limit) this.inconclusive.push(why);
  }

  violate(violation: Violation): void {
    if (this.#tentative !== undefined) this.#tentative.push(violation);
    else if (this.violations.length < this.#limit) this.violations.push(violation);
    else this.skip(`further violations of ${violation.rule}`);
  }

  /** What the action finds broken, which is not counted as such. */
  tentatively(action: () => void): readonly Violation[] {
    const found: Violation[] = [];
    this.#tentative = found;
    try {
      action();
    } finally {
      this.#tentative = undefined;
    }
    return found;
  }

  /** Takes over what another ledger of the same trace has exercised, where that is more. */
  join(other: Ledger): void {
    for (const rule of other.#rules) {
      const own = this.#counts[rule.index];
      const count = other.#counts[rule.index] ?? 0;
      if (own === undefined) this.#rules.push(rule);
      if (own !== undefined && own >= count) continue;
      this.#counts[rule.index] = count;
      const choices = other.#choices.get(rule);
      if (choices !== undefined) this.#choices.set(rule, choices);
    }
  }

  judgement(): Judgement {
    const exercised = new Map<string, number>();
    for (const { id, index } of this.#rules) exercised.set(id, this.#counts[index] ?? 0);
    const { violations, notJudged, inconclusive, packets } = this;
    return { violations, exercised, observed: this.#observed(), notJudged, inconclusive, packets };
  }

  #observed(): Judgement['observed'] {
    const observed: Judgement['observed'] = new Map();
    for (const rule of this.#rules) {
      if (!leavesChoice(rule)) continue;
      const counts = new Map(this.#choices.get(rule));
      const told = [...counts.values()].reduce((sum, n) => sum + n, 0);
      const rest = (this.#counts[rule.index] ?? 0) - told;
      if (rest > 0) counts.set(otherwise(rule), rest);
      observed.set(rule.id, counts);
    }
    return observed;
  }
}
