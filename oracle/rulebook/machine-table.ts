import type { CellOf, DecisionTable, Rule, RuleSet, Words } from '../rules.ts';
import type { TypedMachine } from './machine.ts';
import { requiredTable } from './outcome.ts';

/** A table of which the machine reads the facts itself, as far as the YAML gives them a meaning; the others are built in. */
export class MachineTable<Variables extends object, Inputs extends object> {
  readonly #table: DecisionTable;
  readonly #machine: TypedMachine<Variables, Inputs, string, string>;
  readonly #given: ReadonlySet<string>;
  #cellOf: CellOf | undefined;

  /** `given`: facts that have a meaning, and that those who ask give all the same. RangeError where the rules lack the table. */
  constructor(
    rules: RuleSet,
    machine: TypedMachine<Variables, Inputs, string, string>,
    id: string,
    given: readonly string[] = [],
  ) {
    this.#table = requiredTable(rules, id);
    this.#machine = machine;
    this.#given = new Set(given);
  }

  /** Its rules where all facts are given by name. */
  by(words: Words): readonly Rule[] {
    return this.#table.by(words);
  }

  /** Its rules in this state. RangeError where a fact is missing, or may have several values. */
  at(inputs: Partial<Inputs>, variables: Variables, given?: Words): readonly Rule[] {
    // not all are ever asked for
    this.#cellOf ??= this.#machine.machine.cellOf(this.#table, this.#given);
    return this.#table.cell(this.#cellOf(inputs, variables, given));
  }
}
