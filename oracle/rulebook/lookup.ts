import type { RuleSet, Rule } from '../rules.ts';
import { FactRow } from './fact-row.ts';
import { requiredTable } from './outcome.ts';

/** Looks up the rules of a table whose facts are given by name. */
export interface Lookup {
  (facts: Readonly<Record<string, string>>): readonly Rule[];
}

/** A lookup into the table; its facts are always known. */
export function lookupOf(rules: RuleSet, id: string): Lookup {
  const row = new FactRow(requiredTable(rules, id));
  const slots = row.table.facts.map((fact) => ({ name: fact.name, slot: row.slot(fact.name) }));
  return (facts) => {
    for (const { name, slot } of slots) {
      const value = facts[name];
      if (value === undefined) throw new RangeError(`table ${id} asks for ${name}`);
      slot.set(value);
    }
    return row.table.decide(row.values);
  };
}
