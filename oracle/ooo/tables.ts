import type { RuleBook } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { RuleSet } from '../rules.ts';

const tableNames = [
  'responder-admission',
  'responder-arrival',
  'responder-duplicate',
  'responder-match',
  'responder-check',
  'responder-place',
  'responder-turn',
  'responder-acknowledge',
  'responder-answer',
  'responder-response',
  'responder-completion',
  'memory',
  'requester-place',
  'requester-window',
  'requester-packet',
  'requester-fence',
  'requester-timer',
  'requester-completion',
  'requester-failure',
  'requester-standing',
] as const;
type OooTable = (typeof tableNames)[number];

/** The tables `ooo-...` that decide on out-of-order QPs, by the rest of their names. */
export type OooTables = Tables<OooTable>;
/** These tables as one QP is held against them. */
export type OooBook = RuleBook<OooTable>;

/** RangeError if the vocabulary lacks a table or a value that the oracle computes. */
export function outOfOrderTables(rules: RuleSet): OooTables {
  return new Tables(rules, tableNames, 'ooo-');
}
