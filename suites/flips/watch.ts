import type { DecisionTable, Machine, MachineFact, Outcome, Rule, RuleSet } from '../../oracle/rules.ts';

type Mark = (mark: string) => void;

function watchedTable(table: DecisionTable, mark: Mark): DecisionTable {
  const marked = (found: readonly Rule[]): readonly Rule[] => {
    for (const { id } of found) mark(id);
    return found;
  };
  return {
    ...table,
    decide: (values) => marked(table.decide(values)),
    decideAny: (masks) => marked(table.decideAny(masks)),
    cell: (number) => marked(table.cell(number)),
    by: (words) => marked(table.by(words)),
  };
}

function watchedMachine(machine: Machine, told: Mark): Machine {
  const { id, effects } = machine.draft;
  const mark = (word: string): void => told(`${id} ${word}`);
  const marked = <F extends (...args: never[]) => unknown>(word: string, act: F): F =>
    ((...args) => {
      mark(word);
      return act(...args);
    }) as F;
  const fact = (name: string, found: MachineFact): MachineFact => ({
    ...found,
    read: marked(`facts.${name}`, found.read),
    likeliest: marked(`facts.${name}`, found.likeliest),
    narrow: found.narrow && marked(`facts.${name}`, found.narrow),
  });
  const saying = (name: string, outcome: Outcome): void => {
    const value = outcome[name];
    if (typeof value === 'string') mark(`outcomes.${name}.${value}`);
  };
  const named =
    <T>(name: string, act: (outcome: Outcome, inputs: object, variables: object) => T) =>
    (outcome: Outcome, inputs: object, variables: object): T => {
      saying(name, outcome);
      return act(outcome, inputs, variables);
    };
  return {
    ...machine,
    facts: new Map([...machine.facts].map(([name, found]) => [name, fact(name, found)])),
    filler: (positions) => {
      const fill = machine.filler(positions);
      return (inputs, variables, row) => {
        for (const name of positions.keys()) mark(`facts.${name}`);
        fill(inputs, variables, row);
      };
    },
    cellOf: (table, given) => {
      const cellOf = machine.cellOf(table, given);
      const names = table.facts
        .map(({ name }) => name)
        .filter((name) => !given.has(name) && machine.facts.has(name));
      return (inputs, variables, words) => {
        for (const name of names) mark(`facts.${name}`);
        return cellOf(inputs, variables, words);
      };
    },
    apply: (outcome, inputs, variables) => {
      for (const name of Object.keys(effects)) saying(name, outcome);
      machine.apply(outcome, inputs, variables);
    },
    effect: (name) => named(name, machine.effect(name)),
    holds: (name) => named(name, machine.holds(name)),
    start: (inputs, variables) => {
      mark('start');
      machine.start(inputs, variables);
    },
    step: (name) => marked(`steps.${name}`, machine.step(name)),
    value: (name) => marked(`values.${name}`, machine.value(name)),
  };
}

/**
 * Rules that tell what of them is asked. Marks: the id of a rule that a table gave, whether it counts as exercised or not;
 * `MACHINE WORD` for a word of `machine.yaml` that has a meaning there, such as `rc-responder facts.psn`, and `MACHINE start`.
 */
export class Watch {
  #marks = new Set<string>();
  readonly #parts: Pick<RuleSet, 'tables' | 'machines'>;
  readonly #rules: RuleSet;

  constructor(rules: RuleSet) {
    this.#rules = rules;
    const mark = (one: string): void => void this.#marks.add(one);
    this.#parts = {
      tables: new Map([...rules.tables].map(([id, table]) => [id, watchedTable(table, mark)])),
      machines: new Map([...rules.machines].map(([id, machine]) => [id, watchedMachine(machine, mark)])),
    };
  }

  /** The rules for one judgement: those who judge keep answers of a set of rules, and would not ask again. */
  begin(): RuleSet {
    this.#marks = new Set();
    return { ...this.#rules, ...this.#parts };
  }

  /** What was asked since the last beginning. */
  get marks(): ReadonlySet<string> {
    return this.#marks;
  }
}
