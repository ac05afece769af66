import type { Machine, Outcome, RuleSet } from '../rules.ts';
import type { FactRow } from './fact-row.ts';

/** A machine whose variables and inputs have the types that are generated from its YAML. */
export interface TypedMachine<
  Variables extends object,
  Inputs extends object,
  Step extends string,
  Value extends string,
> {
  readonly machine: Machine;
  /** What fills in a fact of a row by its meaning; RangeError where the machine gives it none, or the table lacks it. */
  filler(row: FactRow, name: string): (inputs: Partial<Inputs>, variables: Variables) => void;
  apply(outcome: Outcome, inputs: Inputs, variables: Variables): void;
  effect(name: string): (outcome: Outcome, inputs: Partial<Inputs>, variables: Variables) => void;
  /** Whether an outcome's demand is met; undefined where that is not known, or it has no condition. */
  holds(
    name: string,
  ): (outcome: Outcome, inputs: Partial<Inputs>, variables: Variables) => boolean | undefined;
  start(inputs: Partial<Inputs>, variables: Variables): void;
  step(name: Step): (inputs: Partial<Inputs>, variables: Variables) => void;
  /** A named number. */
  number(name: Value): (inputs: Partial<Inputs>, variables: Variables) => number;
  /** A named word. */
  word(name: Value): (inputs: Partial<Inputs>, variables: Variables) => string;
  /** A named condition; false where it is not known. */
  flag(name: Value): (inputs: Partial<Inputs>, variables: Variables) => boolean;
}

/**
 * A machine of the rule set, by id. The generated types say what its expressions read: steps, start values and named values
 * are given no more of the inputs than they ask for. RangeError where the rules lack the machine.
 */
export function machineOf<
  Variables extends object,
  Inputs extends object,
  Step extends string,
  Value extends string,
>(rules: RuleSet, id: string): TypedMachine<Variables, Inputs, Step, Value> {
  const machine = rules.machines.get(id);
  if (machine === undefined) throw new RangeError(`the rule set has no machine ${id}`);
  return {
    machine,
    filler: (row, name) => {
      const fact = machine.facts.get(name);
      if (fact === undefined) throw new RangeError(`machine ${id} gives fact ${name} no meaning`);
      const slot = row.slot(name);
      return (inputs, variables) => slot.read(fact, inputs, variables);
    },
    apply: (outcome, inputs, variables) => machine.apply(outcome, inputs, variables),
    effect: (name) => machine.effect(name),
    holds: (name) => machine.holds(name),
    start: (inputs, variables) => machine.start(inputs, variables),
    step: (name) => machine.step(name),
    number: (name) => {
      const value = machine.value(name);
      return (inputs, variables) => Number(value(inputs, variables));
    },
    word: (name) => {
      const value = machine.value(name);
      return (inputs, variables) => String(value(inputs, variables));
    },
    flag: (name) => {
      const value = machine.value(name);
      return (inputs, variables) => value(inputs, variables) === true;
    },
  };
}
