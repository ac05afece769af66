import type { Rule, RuleSet } from '../rules.ts';
import { responderFacts } from './facts.ts';
import type { FactFiller } from './facts.ts';
import type { RequestView } from './request.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Branch } from '../rulebook/outcome.ts';

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
  rules.find((rule) => rule.outcomes.some((outcome) => outcomeWord(outcome, 'next') !== undefined)) ??
  rules[0];

/**
 * A table on the way of a request, after the rules that led to it. Packets take few ways, so that each is laid out once:
 * a table's answer, always the same object for the same rules, leads on.
 */
interface Junction {
  filler: FactFiller;
  /** rules that decided so far */
  rules: readonly Rule[];
  /** none of them left a choice */
  certain: boolean;
  onward: Map<readonly Rule[], Way>;
}

interface Way {
  next: Junction | undefined;
  /** what the way yields if every fact was known, and if one was assumed */
  asKnown: { branch: Branch; certain: boolean };
  asAssumed: { branch: Branch; certain: boolean };
}

/** Compiles the way of an RC request; RangeError if the vocabulary lacks a table or fact that the oracle computes. */
export function createDecider(rules: RuleSet): Decider {
  const fillerFor = responderFacts(rules);
  const fillers = new Map<string, FactFiller>();
  const fillerOf = (id: string): FactFiller => {
    const filler = fillers.get(id) ?? fillerFor(id);
    fillers.set(id, filler);
    return filler;
  };

  const start = junction([], true, firstTable);

  function junction(rules: readonly Rule[], certain: boolean, table: string): Junction {
    return { filler: fillerOf(table), rules, certain, onward: new Map() };
  }

  function wayOn(from: Junction, chosen: readonly Rule[]): Way {
    const rule = preferNext(chosen);
    if (rule === undefined) {
      const { id } = from.filler.row.table;
      throw new RangeError(`table ${id} has no rule for a cell that its rules call impossible`);
    }
    const rules = [...from.rules, ...chosen];
    const certain = from.certain && chosen.length === 1 && rule.outcomes.length === 1;
    const outcome = rule.outcomes[0] ?? {};
    const branch = { rules, rule, outcome };
    const table = outcomeWord(outcome, 'next');
    const way: Way = {
      next: table === undefined ? undefined : junction(rules, certain, table),
      asKnown: { branch, certain },
      asAssumed: { branch, certain: false },
    };
    from.onward.set(chosen, way);
    return way;
  }

  function primary(request: RequestView): { branch: Branch; certain: boolean } {
    let known = true;
    for (let at = start; ;) {
      const { row, fill } = at.filler;
      row.certain = true;
      fill(request);
      known &&= row.certain;
      const chosen = row.table.decide(row.values);
      const way = at.onward.get(chosen) ?? wayOn(at, chosen);
      if (way.next === undefined) return known ? way.asKnown : way.asAssumed;
      at = way.next;
    }
  }

  function explore(request: RequestView, id: string, path: readonly Rule[], found: Branch[]): void {
    const { row, fill } = fillerOf(id);
    fill(request);
    for (const rule of row.table.decideAny(row.masks)) {
      for (const outcome of rule.outcomes) {
        const next = outcomeWord(outcome, 'next');
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
