import type { Rule, RuleSet } from '../rules.ts';
import { MachineTable } from './machine-table.ts';
import type { TypedMachine } from './machine.ts';
import type { Facts } from './tables.ts';

/** An event, and the state that it meets. `given`: facts that no expression of the machine gives. */
export interface Met<Variables extends object, Inputs extends object> {
  readonly inputs: Partial<Inputs>;
  readonly variables: Variables;
  readonly given?: Facts | undefined;
  readonly by?: undefined;
}

/** What a table of a machine is asked for: the rules of an event, or those where all facts are given by name. */
export type Question<Variables extends object, Inputs extends object> =
  Met<Variables, Inputs> | { readonly by: Facts };

/** Tables of one machine, compiled, by the names that it has for them. */
export class MachineTables<Name extends string, Variables extends object, Inputs extends object> {
  readonly machine: TypedMachine<Variables, Inputs, string, string>;
  readonly #tables: ReadonlyMap<Name, MachineTable<Variables, Inputs>>;

  /** The ids of the tables are `prefix` and the name. RangeError where the rules lack one of them. */
  constructor(
    rules: RuleSet,
    machine: TypedMachine<Variables, Inputs, string, string>,
    names: readonly Name[],
    prefix: string,
  ) {
    this.machine = machine;
    this.#tables = new Map(names.map((name) => [name, new MachineTable(rules, machine, `${prefix}${name}`)]));
  }

  ask(name: Name, question: Question<Variables, Inputs>): readonly Rule[] {
    const table = this.#tables.get(name);
    if (table === undefined) throw new RangeError(`no table ${name}`);
    if (question.by !== undefined) return table.by(question.by);
    return table.at(question.inputs, question.variables, question.given);
  }
}
