import type { RuleBook } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { RuleSet } from '../rules.ts';

const tableNames = [
  'uc-responder-admission',
  'ud-responder-admission',
  'uc-responder-sequence',
  'uc-responder-operation',
  'ud-responder-operation',
  'uc-responder-execute',
  'ud-responder-execute',
  'uc-responder-report',
  'ud-responder-report',
  'uc-responder-abandon',
  'uc-ud-responder-completion',
  'uc-ud-responder-memory',
  'uc-ud-responder-answer',
  'uc-ud-state',
  'uc-ud-requester-place',
  'uc-ud-requester-packet',
  'uc-ud-requester-completion',
  'uc-ud-requester-standing',
] as const;
type UnreliableTable = (typeof tableNames)[number];

/** The tables that decide on UC and UD QPs. */
export type UnreliableTables = Tables<UnreliableTable>;
/** These tables as one QP is held against them. */
export type UnreliableBook = RuleBook<UnreliableTable>;

export type UnreliableService = 'UC' | 'UD';

/** RangeError if the vocabulary lacks a table or a value that the oracle computes. */
export function unreliableTables(rules: RuleSet): UnreliableTables {
  return new Tables(rules, tableNames);
}

const prefixes = { UC: 'uc', UD: 'ud' } as const;

/** The table of a service that the other one has as well. */
export function tableOf<Name extends 'admission' | 'operation' | 'execute' | 'report'>(
  service: UnreliableService,
  name: Name,
): `${(typeof prefixes)[UnreliableService]}-responder-${Name}` {
  return `${prefixes[service]}-responder-${name}`;
}
