import type { Rule, RuleSet } from '../rules.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import type { Lookup } from '../rulebook/lookup.ts';

/** The tables that decide on UC and UD QPs. */
export interface UnreliableTables {
  admission: Readonly<Record<UnreliableService, Lookup>>;
  sequence: Lookup;
  operation: Readonly<Record<UnreliableService, Lookup>>;
  execute: Readonly<Record<UnreliableService, Lookup>>;
  report: Readonly<Record<UnreliableService, Lookup>>;
  abandon: Lookup;
  completion: Lookup;
  memory: Lookup;
  answer: Lookup;
  state: Lookup;
  place: Lookup;
  packet: Lookup;
  sendCompletion: Lookup;
  standing: Lookup;
}

export type UnreliableService = 'UC' | 'UD';

/** RangeError if the vocabulary lacks a table or a value that the oracle computes. */
export function unreliableTables(rules: RuleSet): UnreliableTables {
  const both = (name: string): Readonly<Record<UnreliableService, Lookup>> => ({
    UC: lookupOf(rules, `uc-responder-${name}`),
    UD: lookupOf(rules, `ud-responder-${name}`),
  });
  return {
    admission: both('admission'),
    sequence: lookupOf(rules, 'uc-responder-sequence'),
    operation: both('operation'),
    execute: both('execute'),
    report: both('report'),
    abandon: lookupOf(rules, 'uc-responder-abandon'),
    completion: lookupOf(rules, 'uc-ud-responder-completion'),
    memory: lookupOf(rules, 'uc-ud-responder-memory'),
    answer: lookupOf(rules, 'uc-ud-responder-answer'),
    state: lookupOf(rules, 'uc-ud-state'),
    place: lookupOf(rules, 'uc-ud-requester-place'),
    packet: lookupOf(rules, 'uc-ud-requester-packet'),
    sendCompletion: lookupOf(rules, 'uc-ud-requester-completion'),
    standing: lookupOf(rules, 'uc-ud-requester-standing'),
  };
}

/** The one rule that decides; RangeError where a table of the rule set has none, which its compiler excludes. */
export function onlyRule(rules: readonly Rule[], table: string): Rule {
  const [rule] = rules;
  if (rule === undefined)
    throw new RangeError(`table ${table} has no rule for a cell that its rules call impossible`);
  return rule;
}
