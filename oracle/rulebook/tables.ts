import type { Outcome, Rule, RuleSet } from '../rules.ts';
import { lookupOf, type Lookup } from './lookup.ts';

export type Facts = Readonly<Record<string, string>>;

/** A rule that decides, with the first of its outcomes. */
export interface Decision {
  readonly rule: Rule;
  readonly outcome: Outcome;
}

/** Tables of a rule set, compiled, by the names that a machine has for them. */
export class Tables<Name extends string> {
  readonly #lookups: ReadonlyMap<Name, Lookup>;

  /** The ids of the tables are `prefix` and the name. RangeError where the rules lack one of them. */
  constructor(rules: RuleSet, names: readonly Name[], prefix = '') {
    this.#lookups = new Map(names.map((name) => [name, lookupOf(rules, `${prefix}${name}`)]));
  }

  /** The rules that a table has for these facts. */
  ask(table: Name, facts: Facts): readonly Rule[] {
    const lookup = this.#lookups.get(table);
    if (lookup === undefined) throw new RangeError(`no table ${table}`);
    return lookup(facts);
  }
}

/** The first of the rules that a table has for some facts; RangeError where it has none. */
export function decisionOf(table: string, [rule]: readonly Rule[]): Decision {
  if (rule === undefined)
    throw new RangeError(`table ${table} has no rule for a cell that its rules call impossible`);
  return { rule, outcome: rule.outcomes[0] ?? {} };
}
