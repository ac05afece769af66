import { retryLimits } from '../rc-requester/limits.ts';
import type { RetryLimits } from '../rc-requester/limits.ts';
import type { Outcome, Rule, RuleSet } from '../rules.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';

/** The tables that decide on out-of-order QPs. */
export interface OutOfOrderTables {
  admission: Lookup;
  arrival: Lookup;
  duplicate: Lookup;
  match: Lookup;
  check: Lookup;
  place: Lookup;
  turn: Lookup;
  acknowledge: Lookup;
  answer: Lookup;
  response: Lookup;
  completion: Lookup;
  memory: Lookup;
  step: Lookup;
  window: Lookup;
  packet: Lookup;
  fence: Lookup;
  timer: Lookup;
  sendCompletion: Lookup;
  failure: Lookup;
  standing: Lookup;
  limits: RetryLimits;
}

/** RangeError if the vocabulary lacks a table or a value that the oracle computes. */
export function outOfOrderTables(rules: RuleSet): OutOfOrderTables {
  return {
    admission: lookupOf(rules, 'ooo-responder-admission'),
    arrival: lookupOf(rules, 'ooo-responder-arrival'),
    duplicate: lookupOf(rules, 'ooo-responder-duplicate'),
    match: lookupOf(rules, 'ooo-responder-match'),
    check: lookupOf(rules, 'ooo-responder-check'),
    place: lookupOf(rules, 'ooo-responder-place'),
    turn: lookupOf(rules, 'ooo-responder-turn'),
    acknowledge: lookupOf(rules, 'ooo-responder-acknowledge'),
    answer: lookupOf(rules, 'ooo-responder-answer'),
    response: lookupOf(rules, 'ooo-responder-response'),
    completion: lookupOf(rules, 'ooo-responder-completion'),
    memory: lookupOf(rules, 'ooo-memory'),
    step: lookupOf(rules, 'ooo-requester-place'),
    window: lookupOf(rules, 'ooo-requester-window'),
    packet: lookupOf(rules, 'ooo-requester-packet'),
    fence: lookupOf(rules, 'ooo-requester-fence'),
    timer: lookupOf(rules, 'ooo-requester-timer'),
    sendCompletion: lookupOf(rules, 'ooo-requester-completion'),
    failure: lookupOf(rules, 'ooo-requester-failure'),
    standing: lookupOf(rules, 'ooo-requester-standing'),
    limits: retryLimits(rules),
  };
}

export interface Decision {
  rule: Rule;
  outcome: Outcome;
}

/** The one rule of a table that decides, with the first of its outcomes; RangeError where there is none. */
export function decision(lookup: Lookup, facts: Readonly<Record<string, string>>): Decision {
  const [rule] = lookup(facts);
  if (rule === undefined) throw new RangeError('no rule for a cell that the rules call impossible');
  return { rule, outcome: rule.outcomes[0] ?? {} };
}

/** Of rules that make demands, the one that says `value` for `key`. */
export function demanding(rules: readonly Rule[], key: string, value: string): Rule | undefined {
  return rules.find((rule) => outcomeWord(rule.outcomes[0] ?? {}, key) === value);
}
