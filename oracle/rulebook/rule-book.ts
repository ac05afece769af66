import type { Rule } from '../rules.ts';
import type { When } from '../spot.ts';
import type { Ledger } from './ledger.ts';
import { ruleWord } from './outcome.ts';
import { decisionOf } from './tables.ts';
import type { Decision, Facts } from './tables.ts';

/** What a rule book is about, as far as that does not change. */
export interface RuleBookOf {
  /** how reports name the QP */
  qp?: string;
  /** of the device; without them every rule binds it */
  capabilities?: ReadonlySet<string> | undefined;
}

/**
 * The rules of one machine as a trace is held against them: looked up by facts, counted as exercised, violated. Rules that require
 * what the device does not declare are left out.
 */
export class RuleBook<Name extends string, Asked = Facts> {
  readonly ledger: Ledger;
  readonly #tables: { ask(table: Name, facts: Asked): readonly Rule[] };
  readonly #qp: string;
  readonly #capabilities: ReadonlySet<string> | undefined;

  constructor(
    tables: { ask(table: Name, facts: Asked): readonly Rule[] },
    ledger: Ledger,
    { qp = 'device', capabilities }: RuleBookOf = {},
  ) {
    this.#tables = tables;
    this.ledger = ledger;
    this.#qp = qp;
    this.#capabilities = capabilities;
  }

  /** The rules that a table has for these facts; not counted. */
  ask(table: Name, facts: Asked): readonly Rule[] {
    const found = this.#tables.ask(table, facts);
    for (const rule of found)
      if (rule.requires.length > 0 && !this.#binds(rule)) return found.filter((other) => this.#binds(other));
    return found;
  }

  #binds({ requires }: Rule): boolean {
    return requires.every((word) => this.#capabilities?.has(word) !== false);
  }

  /** The rules that a table has for these facts; they count as exercised. */
  decide(table: Name, facts: Asked): readonly Rule[] {
    const rules = this.ask(table, facts);
    this.ledger.exercise(rules);
    return rules;
  }

  /** The one rule that decides, which counts as exercised; RangeError where there is none. */
  only(table: Name, facts: Asked): Decision {
    const found = this.peek(table, facts);
    this.ledger.exerciseOne(found.rule);
    return found;
  }

  /** The one rule that decides; not counted. RangeError where there is none. */
  peek(table: Name, facts: Asked): Decision {
    return decisionOf(table, this.ask(table, facts));
  }

  /** The rules that say `word`; not counted. */
  saying(table: Name, facts: Asked, key: string, word: string): Rule[] {
    return this.ask(table, facts).filter((rule) => ruleWord(rule, key) === word);
  }

  exercise(rules: readonly Rule[]): void {
    this.ledger.exercise(rules);
  }

  /** Something is not as a rule demands it; nothing happens where no rule does. */
  violate(rule: Rule | undefined, at: When & { qp?: string }, expected: string, observed: string): void {
    if (rule === undefined) return;
    const { event, t, qp = this.#qp } = at;
    this.ledger.violate({ rule: rule.id, event, t, qp, expected, observed });
  }

  /** The device took one of the ways that a rule allows. */
  choice(rule: Rule, what: string): void {
    this.ledger.choice(rule, what);
  }

  /** Something is not judged. */
  skip(why: string): void {
    this.ledger.skip(why);
  }

  /** From here on nobody can tell. */
  doubt(why: string): void {
    this.ledger.doubt(`${this.#qp}: ${why}`);
  }
}
