import type { RuleBook } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { RuleSet } from '../rules.ts';

const tableNames = [
  'qp-modify-transition',
  'qp-modify-attributes',
  'qp-modify-values',
  'qp-query',
  'device-query',
] as const;
export type AttributeTable = (typeof tableNames)[number];

/** The tables of ibv_modify_qp, ibv_query_qp and ibv_query_device. */
export type AttributeTables = Tables<AttributeTable>;
export type AttributeBook = RuleBook<AttributeTable>;

/** RangeError if the vocabulary lacks one of them. */
export function attributeTables(rules: RuleSet): AttributeTables {
  return new Tables(rules, tableNames);
}

/** The table of that name, if it is one of them. */
export function attributeTable(name: string | undefined): AttributeTable | undefined {
  return tableNames.find((table) => table === name);
}
