import type { Rule, RuleSet, Words } from '../rules.ts';
import { requiredTable } from './outcome.ts';

/** Looks up the rules of a table whose facts are given by name. */
export type Lookup = (facts: Words) => readonly Rule[];

/** A lookup into the table; its facts are always known. */
export function lookupOf(rules: RuleSet, id: string): Lookup {
  return requiredTable(rules, id).by;
}
