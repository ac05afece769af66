import type { MachineDraft } from '../machine-draft.ts';
import type { DecisionTable, Machine, Outcome, Rule, RuleSet } from '../rules.ts';
import { makeMachine } from './machine/program.ts';

/** Answers of a table, with one rule in the place of another. */
function replacing(before: Rule, after: Rule): (found: readonly Rule[]) => readonly Rule[] {
  // a table gives the same list for the same cell, again and again
  const known = new WeakMap<readonly Rule[], readonly Rule[]>();
  return (found) => {
    let made = known.get(found);
    if (made === undefined) {
      made = found.includes(before) ? found.map((rule) => (rule === before ? after : rule)) : found;
      known.set(found, made);
    }
    return made;
  };
}

function reworded(table: DecisionTable, before: Rule, after: Rule): DecisionTable {
  const replace = replacing(before, after);
  return {
    ...table,
    rules: table.rules.map((rule) => (rule === before ? after : rule)),
    decide: (values) => replace(table.decide(values)),
    decideAny: (masks) => replace(table.decideAny(masks)),
    cell: (number) => replace(table.cell(number)),
    by: (words) => replace(table.by(words)),
  };
}

/** The rules with other outcomes of one of them; its condition and all else stay, so that nothing is proved or laid out anew. */
export function withOutcomes(
  set: RuleSet,
  { rule: id, outcomes }: { rule: string; outcomes: readonly Outcome[] },
): RuleSet {
  const before = set.rule(id);
  const table = before && set.tables.get(before.table);
  if (before === undefined || table === undefined) throw new RangeError(`the rule set has no rule ${id}`);
  const after: Rule = { ...before, outcomes };
  return {
    ...set,
    base: set,
    tables: new Map(set.tables).set(table.id, reworded(table, before, after)),
    rules: set.rules.with(before.index, after),
    rule: (wanted) => (wanted === id ? after : set.rule(wanted)),
  };
}

/** The rules with another machine in the place of the one with its id. */
export function withMachine(set: RuleSet, machine: Machine): RuleSet {
  return { ...set, base: set, machines: new Map(set.machines).set(machine.draft.id, machine) };
}

/** A machine as another draft has it, which keeps the words of its facts. RangeError where the rules have no such machine. */
export function redrafted(set: RuleSet, draft: MachineDraft): Machine {
  const before = set.machines.get(draft.id);
  if (before === undefined) throw new RangeError(`the rule set has no machine ${draft.id}`);
  return makeMachine(draft, (fact) => before.facts.get(fact)?.values ?? []);
}
