import type { DecisionTable, Machine, MachineFact, Outcome, Rule, RuleSet } from '../../oracle/rules.ts';
import { same } from '../corpus/same.ts';

/** Whether another machine would have given something else, or made another change. */
type Differs = (other: Machine) => boolean;

/** Is called with a mark; `differs` can be asked until it returns. */
export type Hear = (mark: string, differs: Differs) => void;

const never: Differs = () => false;

function watchedTable(table: DecisionTable, hear: Hear): DecisionTable {
  const marked = (found: readonly Rule[]): readonly Rule[] => {
    for (const { id } of found) hear(id, never);
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

function copyOf(variables: object): object {
  return Object.assign(Object.create(Object.getPrototypeOf(variables) as object | null) as object, variables);
}

/** One machine, whose words are heard of whenever they are asked. */
class WatchedMachine {
  readonly #machine: Machine;
  readonly #hear: Hear;

  constructor(machine: Machine, hear: Hear) {
    this.#machine = machine;
    this.#hear = hear;
  }

  #mark(word: string, differs: Differs): void {
    this.#hear(`${this.#machine.draft.id} ${word}`, differs);
  }

  #saying(names: readonly string[], outcome: Outcome, differs: Differs): void {
    for (const name of names) {
      const value = outcome[name];
      if (typeof value === 'string') this.#mark(`outcomes.${name}.${value}`, differs);
    }
  }

  /** Changes variables, and says how another machine would have changed them. */
  #changed(variables: object, act: (machine: Machine, variables: object) => void): Differs {
    const before = copyOf(variables);
    act(this.#machine, variables);
    return (other) => {
      const changed = copyOf(before);
      act(other, changed);
      return !same(changed, variables);
    };
  }

  #fact(name: string, found: MachineFact): MachineFact {
    const ask =
      (read: 'read' | 'likeliest'): MachineFact['read'] =>
      (inputs, variables) => {
        const value = found[read](inputs, variables);
        this.#mark(`facts.${name}`, (other) => other.facts.get(name)?.[read](inputs, variables) !== value);
        return value;
      };
    const { narrow } = found;
    return {
      ...found,
      read: ask('read'),
      likeliest: ask('likeliest'),
      narrow:
        narrow &&
        ((inputs, variables, value) => {
          const act = (machine: Machine, of: object): void =>
            machine.facts.get(name)?.narrow?.(inputs, of, value);
          this.#mark(`facts.${name}`, this.#changed(variables, act));
        }),
    };
  }

  /** Facts were read at once, by these names. */
  #read(names: Iterable<string>, inputs: object, variables: object): void {
    for (const name of names) {
      const own = this.#machine.facts.get(name);
      this.#mark(`facts.${name}`, (other) => {
        const its = other.facts.get(name);
        return (
          its?.read(inputs, variables) !== own?.read(inputs, variables) ||
          its?.likeliest(inputs, variables) !== own?.likeliest(inputs, variables)
        );
      });
    }
  }

  #filler(positions: ReadonlyMap<string, number>): ReturnType<Machine['filler']> {
    const fill = this.#machine.filler(positions);
    return (inputs, variables, row) => {
      fill(inputs, variables, row);
      this.#read(positions.keys(), inputs, variables);
    };
  }

  #cellOf(table: DecisionTable, given: ReadonlySet<string>): ReturnType<Machine['cellOf']> {
    const cellOf = this.#machine.cellOf(table, given);
    const names = table.facts
      .map(({ name }) => name)
      .filter((name) => !given.has(name) && this.#machine.facts.has(name));
    return (inputs, variables, words) => {
      this.#read(names, inputs, variables);
      return cellOf(inputs, variables, words);
    };
  }

  /** A machine that does what this one does. */
  watched(): Machine {
    const machine = this.#machine;
    const changes =
      (names: readonly string[], act: (machine: Machine) => ReturnType<Machine['effect']>) =>
      (outcome: Outcome, inputs: object, variables: object): void =>
        this.#saying(
          names,
          outcome,
          this.#changed(variables, (of, kept) => act(of)(outcome, inputs, kept)),
        );
    return {
      ...machine,
      facts: new Map([...machine.facts].map(([name, found]) => [name, this.#fact(name, found)])),
      filler: (positions) => this.#filler(positions),
      cellOf: (table, given) => this.#cellOf(table, given),
      apply: changes(Object.keys(machine.draft.effects), (of) => of.apply.bind(of)),
      effect: (name) => {
        // a name that it does not have is refused at once
        machine.effect(name);
        return changes([name], (of) => of.effect(name));
      },
      holds: (name) => {
        const holds = machine.holds(name);
        return (outcome, inputs, variables) => {
          const held = holds(outcome, inputs, variables);
          this.#saying([name], outcome, (other) => other.holds(name)(outcome, inputs, variables) !== held);
          return held;
        };
      },
      start: (inputs, variables) => {
        this.#mark(
          'start',
          this.#changed(variables, (of, kept) => of.start(inputs, kept)),
        );
      },
      step: (name) => {
        machine.step(name);
        return (inputs, variables) => {
          const act = (of: Machine, kept: object): void => of.step(name)(inputs, kept);
          this.#mark(`steps.${name}`, this.#changed(variables, act));
        };
      },
      value: (name) => {
        const read = machine.value(name);
        return (inputs, variables) => {
          const value = read(inputs, variables);
          this.#mark(`values.${name}`, (other) => !Object.is(other.value(name)(inputs, variables), value));
          return value;
        };
      },
    };
  }
}

/**
 * Rules that tell what of them is asked, while a trace is judged. Marks: the id of a rule that a table gave, whether it counts as
 * exercised or not; `MACHINE WORD` for a word of `machine.yaml` that has a meaning there, such as `rc-responder facts.psn`, and
 * `MACHINE start`.
 */
export class Watch {
  readonly #parts: Pick<RuleSet, 'tables' | 'machines'>;
  readonly #rules: RuleSet;

  constructor(rules: RuleSet, hear: Hear) {
    this.#rules = rules;
    this.#parts = {
      tables: new Map([...rules.tables].map(([id, table]) => [id, watchedTable(table, hear)])),
      machines: new Map(
        [...rules.machines].map(([id, machine]) => [id, new WatchedMachine(machine, hear).watched()]),
      ),
    };
  }

  /** The rules for one judgement: those who judge keep answers of a set of rules, and would not ask again. */
  begin(): RuleSet {
    return { ...this.#rules, ...this.#parts };
  }
}
