import type { Rule, RuleSet } from '../rules.ts';
import { FactRow } from './fact-row.ts';
import type { FactSlot } from './fact-row.ts';
import { lookupOf } from './lookup.ts';
import type { Lookup } from './lookup.ts';
import type { TypedMachine } from './machine.ts';
import { requiredTable } from './outcome.ts';

/** A table of which the machine reads the facts itself, as far as the YAML gives them a meaning; the others are built in. */
export class MachineTable<Variables extends object, Inputs extends object> {
  /** Its rules where all facts are given by name. */
  readonly by: Lookup;
  readonly #row: FactRow;
  readonly #fill: (inputs: Partial<Inputs>, variables: Variables) => void;
  readonly #given: readonly { readonly name: string; readonly slot: FactSlot }[];

  /** `given`: facts that have a meaning, and that those who ask give all the same. RangeError where the rules lack the table. */
  constructor(
    rules: RuleSet,
    machine: TypedMachine<Variables, Inputs, string, string>,
    id: string,
    given: readonly string[] = [],
  ) {
    this.by = lookupOf(rules, id);
    this.#row = new FactRow(requiredTable(rules, id));
    const names = this.#row.table.facts.map(({ name }) => name);
    const meant = names.filter((name) => machine.machine.facts.has(name) && !given.includes(name));
    this.#fill = machine.filler(this.#row, meant);
    this.#given = names
      .filter((name) => !meant.includes(name))
      .map((name) => ({ name, slot: this.#row.slot(name) }));
  }

  /** Its rules in this state. RangeError where a fact is missing, or may have several values. */
  at(
    inputs: Partial<Inputs>,
    variables: Variables,
    given?: Readonly<Record<string, string>>,
  ): readonly Rule[] {
    const row = this.#row;
    row.certain = true;
    this.#fill(inputs, variables);
    for (const { name, slot } of this.#given) {
      const value = given?.[name];
      if (value === undefined) throw new RangeError(`table ${row.table.id} asks for ${name}`);
      slot.set(value);
    }
    if (!row.certain) throw new RangeError(`table ${row.table.id}: a fact may have several values`);
    return row.table.decide(row.values);
  }
}
