import type { Service } from '../device/qp.ts';
import type { RuleBook } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { RuleSet } from '../rules.ts';

const tableNames = ['rc-effects', 'uc-effects', 'ud-effects'] as const;
type EffectsTable = (typeof tableNames)[number];

/** The tables of what work comes to at both ends. */
export type EffectsTables = Tables<EffectsTable>;
export type EffectsBook = RuleBook<EffectsTable>;

/** RangeError if the vocabulary lacks one of them. */
export function effectsTables(rules: RuleSet): EffectsTables {
  return new Tables(rules, tableNames);
}

export const effectsTable: Readonly<Record<Service, EffectsTable>> = {
  RC: 'rc-effects',
  UC: 'uc-effects',
  UD: 'ud-effects',
};
