import type { Service } from '../device/qp.ts';
import type { RuleBook } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { RuleSet } from '../rules.ts';
import { endToEndMachine } from './machine.ts';
import type { EndToEndMachine } from './machine.ts';

const tableNames = ['rc-effects', 'uc-effects', 'ud-effects'] as const;
type EffectsTable = (typeof tableNames)[number];

/** What work comes to at both ends. */
export interface EndToEndRules {
  machine: EndToEndMachine;
  tables: Tables<EffectsTable>;
}
export type EffectsBook = RuleBook<EffectsTable>;

/** RangeError if the rules lack one of them. */
export function endToEndRules(rules: RuleSet): EndToEndRules {
  return { machine: endToEndMachine(rules), tables: new Tables(rules, tableNames) };
}

export const effectsTable: Readonly<Record<Service, EffectsTable>> = {
  RC: 'rc-effects',
  UC: 'uc-effects',
  UD: 'ud-effects',
};
