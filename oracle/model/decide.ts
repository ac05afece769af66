import type { Rule, RuleSet } from '../rules.ts';
import { responderFacts } from './responder-facts.ts';
import type { FactFiller, RequestView } from './responder-facts.ts';
import { said } from './tables.ts';
import type { Branch } from './tables.ts';

/** The way of requests through the tables. */
export interface Decider {
  /** The likeliest way; `certain` is false where others are possible as well. */
  primary(request: RequestView): { branch: Branch; certain: boolean };
  /** Every way that the rules and what is known allow, the likeliest first. */
  all(request: RequestView): Branch[];
}

const firstTable = 'rc-responder-admission';
/** rules of more than one way that a first choice should prefer: carrying the request out */
const preferNext = (rules: readonly Rule[]): Rule | undefined =>
  (rules.length === 1 ? rules[0] : undefined) ??
  rules.find((rule) => rule.outcomes.some((outcome) => said(outcome, 'next') !== undefined)) ??
  rules[0];

/** Compiles the way of an RC request; RangeError if the vocabulary lacks a table or fact that the oracle computes. */
export function createDecider(rules: RuleSet): Decider {
  const fillers = responderFacts(rules);
  const fillerOf = (id: string): FactFiller => {
    const filler = fillers.get(id);
    if (filler === undefined) throw new RangeError(`the oracle computes no facts for table ${id}`);
    return filler;
  };

  function primary(request: RequestView): { branch: Branch; certain: boolean } {
    const path: Rule[] = [];
    let certain = true;
    for (let id = firstTable; ;) {
      const { row, fill } = fillerOf(id);
      row.certain = true;
      fill(request);
      certain &&= row.certain;
      const chosen = row.table.decide(row.values);
      const rule = preferNext(chosen);
      if (rule === undefined)
        throw new RangeError(`table ${id} has no rule for a cell that its rules call impossible`);
      certain &&= chosen.length === 1 && rule.outcomes.length === 1;
      path.push(...chosen);
      const outcome = rule.outcomes[0] ?? {};
      const next = said(outcome, 'next');
      if (next === undefined) return { branch: { rules: path, rule, outcome }, certain };
      id = next;
    }
  }

  function explore(request: RequestView, id: string, path: readonly Rule[], found: Branch[]): void {
    const { row, fill } = fillerOf(id);
    fill(request);
    for (const rule of row.table.decideAny(row.masks)) {
      for (const outcome of rule.outcomes) {
        const next = said(outcome, 'next');
        const rules = [...path, rule];
        if (next === undefined) found.push({ rules, rule, outcome });
        else explore(request, next, rules, found);
      }
    }
  }

  function all(request: RequestView): Branch[] {
    const { branch, certain } = primary(request);
    if (certain) return [branch];
    const found: Branch[] = [];
    explore(request, firstTable, [], found);
    return [branch, ...found.filter((b) => b.outcome !== branch.outcome)];
  }

  return { primary, all };
}
