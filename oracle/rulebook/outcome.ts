import type { DecisionTable, Outcome, Rule, RuleSet } from '../rules.ts';

/** Table of the rule set by id; RangeError where the rules lack a table that the oracle needs. */
export function requiredTable(rules: RuleSet, id: string): DecisionTable {
  const table = rules.tables.get(id);
  if (table === undefined) throw new RangeError(`the rule set has no table ${id}`);
  return table;
}

/** Outcome of a key that holds one value; `undefined` where the rule says nothing. */
export function outcomeWord(outcome: Outcome, key: string): string | undefined {
  const value = outcome[key];
  return typeof value === 'string' ? value : undefined;
}

/** Likewise, where the word is one of those; `otherwise` where it is none. */
export function knownWord<Word extends string>(
  outcome: Outcome,
  key: string,
  words: readonly Word[],
  otherwise: Word,
): Word {
  return words.find((word) => word === outcome[key]) ?? otherwise;
}

/** What a rule that leaves no choice says of a key that holds one value. */
export function ruleWord(rule: Rule | undefined, key: string): string | undefined {
  return outcomeWord(rule?.outcomes[0] ?? {}, key);
}

/** What is kept by outcome, of those of which a rule that leaves no choice says something; worked out once for each rule. */
export function ofRule<Kept>(
  kept: Readonly<Record<string, Kept>>,
): (rule: Rule) => readonly { readonly key: string; readonly word: string; readonly kept: Kept }[] {
  const known = new WeakMap<Rule, { key: string; word: string; kept: Kept }[]>();
  return (rule) => {
    let found = known.get(rule);
    if (found === undefined) {
      found = Object.entries(kept).flatMap(([key, one]) => {
        const word = ruleWord(rule, key);
        return word === undefined ? [] : [{ key, word, kept: one }];
      });
      known.set(rule, found);
    }
    return found;
  };
}

/** Of rules that make demands, the first that says `word` for `key`. */
export function demanding(rules: readonly Rule[], key: string, word: string): Rule | undefined {
  return rules.find((rule) => ruleWord(rule, key) === word);
}

/** Outcome of a key that holds a set of values. */
export function outcomeWords(outcome: Outcome, key: string): readonly string[] {
  const value = outcome[key];
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** Word that a rule on the way gives for a key; what led on to another table counts as well. */
export function wordOnTheWay({ rules }: Branch, key: string): string | undefined {
  for (const { outcomes } of rules) {
    const word = outcomeWord(outcomes[0] ?? {}, key);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** The first of the rules that gives the key; the tables of demands have one rule for each. RangeError where none does. */
export function ruleThatSays(found: readonly Rule[], key: string): Rule {
  const rule = found.find((r) => r.outcomes.some((o) => o[key] !== undefined));
  if (rule === undefined) throw new RangeError(`no rule says ${key}`);
  return rule;
}

/** One way through the tables: the rules that decided, and what the last of them says. */
export interface Branch {
  rules: readonly Rule[];
  /** the rule whose outcome it is */
  rule: Rule;
  outcome: Outcome;
}
