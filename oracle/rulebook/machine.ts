import type { Machine, MachineFact, MachineLayout, Outcome, RuleSet } from '../rules.ts';
import type { FactRow } from './fact-row.ts';

/** A machine whose variables and inputs have the types that are generated from its YAML. */
export interface TypedMachine<
  Variables extends object,
  Inputs extends object,
  Step extends string,
  Value extends string,
> {
  readonly machine: Machine;
  /** What fills in facts of a row by their meaning; RangeError where the machine gives one none, or the table lacks it. */
  filler(row: FactRow, names: readonly string[]): (inputs: Partial<Inputs>, variables: Variables) => void;
  apply(outcome: Outcome, inputs: Inputs, variables: Variables): void;
  effect(name: string): (outcome: Outcome, inputs: Partial<Inputs>, variables: Variables) => void;
  /** Whether an outcome's demand is met; undefined where that is not known, or it has no condition. */
  holds(
    name: string,
  ): (outcome: Outcome, inputs: Partial<Inputs>, variables: Variables) => boolean | undefined;
  start(inputs: Partial<Inputs>, variables: Variables): void;
  step(name: Step): (inputs: Partial<Inputs>, variables: Variables) => void;
  /**
   * Makes the changes of several outcomes, one of which holds: the variables then have all values that they may have.
   * `apply` for one outcome. RangeError where they leave a variable different that cannot hold both.
   */
  applyAny(outcomes: readonly Outcome[], inputs: Inputs, variables: Variables): void;
  /** The value of a fact; the likeliest, where it may have several. RangeError where the machine gives it no meaning. */
  fact(name: string): (inputs: Partial<Inputs>, variables: Variables) => string;
  /** Every value that a fact may have, in the order of the vocabulary. */
  possible(name: string): (inputs: Partial<Inputs>, variables: Variables) => readonly string[];
  /** See MachineFact. RangeError where the fact asks for nothing that is kept with every value. */
  narrow(name: string): (inputs: Partial<Inputs>, variables: Variables, value: string) => void;
  readonly layout: MachineLayout;
  /** A named number. */
  number(name: Value): (inputs: Partial<Inputs>, variables: Variables) => number;
  /** A named word. */
  word(name: Value): (inputs: Partial<Inputs>, variables: Variables) => string;
  /** A named address; `undefined` where it is not known. */
  address(name: Value): (inputs: Partial<Inputs>, variables: Variables) => string | undefined;
  /** A named condition; false where it is not known. */
  flag(name: Value): (inputs: Partial<Inputs>, variables: Variables) => boolean;
}

/** An object without names that nobody has given it. It is asked sooner than a Map, and one without a prototype is as slow as that. */
function namesOnly<Value>(): Record<string, Value | undefined> {
  const prototype: object = Object.create(null);
  return Object.create(prototype);
}

/** What `make` gives for a name, made once. */
function once<Name extends string, Made>(make: (name: Name) => Made): (name: Name) => Made {
  const made = namesOnly<Made>();
  return (name) => {
    const before = made[name];
    if (before !== undefined) return before;
    const found = make(name);
    made[name] = found;
    return found;
  };
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
  const meaning = (name: string): MachineFact => {
    const fact = machine.facts.get(name);
    if (fact === undefined) throw new RangeError(`machine ${id} gives fact ${name} no meaning`);
    return fact;
  };
  return {
    machine,
    layout: machine.layout,
    filler: (row, names) => {
      const fill = machine.filler(new Map(names.map((name) => [name, row.position(name)])));
      return (inputs, variables) => fill(inputs, variables, row);
    },
    fact: once((name) => {
      const { kind, likeliest, values, read } = meaning(name);
      return (inputs, variables) => {
        const found = read(inputs, variables);
        if (kind === 'one') return values[found] ?? '';
        const assumed = likeliest(inputs, variables);
        return values[(found >>> assumed) & 1 ? assumed : 31 - Math.clz32(found & -found)] ?? '';
      };
    }),
    possible: once((name) => {
      const { kind, values, read } = meaning(name);
      return (inputs, variables) => {
        const found = read(inputs, variables);
        return values.filter((_, i) => (kind === 'one' ? i === found : (found >>> i) & 1));
      };
    }),
    narrow: once((name) => {
      const { values, narrow } = meaning(name);
      if (narrow === undefined)
        throw new RangeError(`fact ${name} of machine ${id} leaves nothing to narrow`);
      return (inputs, variables, value) => narrow(inputs, variables, values.indexOf(value));
    }),
    apply: (outcome, inputs, variables) => machine.apply(outcome, inputs, variables),
    applyAny: (outcomes, inputs, variables) => {
      const first = outcomes[0];
      if (first === undefined) return;
      if (outcomes.length === 1) return machine.apply(first, inputs, variables);
      const alternatives = outcomes.slice(1).map((outcome) => {
        const other = {};
        machine.layout.copy(variables, other);
        machine.apply(outcome, inputs, other);
        return other;
      });
      machine.apply(first, inputs, variables);
      for (const other of alternatives) {
        if (machine.layout.key(other) !== machine.layout.key(variables))
          throw new RangeError(`machine ${id}: outcomes of which any may hold leave variables apart`);
        machine.layout.absorb(variables, other);
      }
    },
    effect: once((name) => machine.effect(name)),
    holds: once((name) => machine.holds(name)),
    start: (inputs, variables) => machine.start(inputs, variables),
    step: once((name) => machine.step(name)),
    number: once((name) => {
      const value = machine.value(name);
      return (inputs, variables) => Number(value(inputs, variables));
    }),
    word: once((name) => {
      const value = machine.value(name);
      return (inputs, variables) => String(value(inputs, variables));
    }),
    address: once((name) => {
      const value = machine.value(name);
      return (inputs, variables) => {
        const found = value(inputs, variables);
        return typeof found === 'string' ? found : undefined;
      };
    }),
    flag: once((name) => {
      const value = machine.value(name);
      return (inputs, variables) => value(inputs, variables) === true;
    }),
  };
}
