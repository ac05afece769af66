import { FactRow } from '../rulebook/fact-row.ts';
import type { FactSlot } from '../rulebook/fact-row.ts';
import { requiredTable } from '../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../rules.ts';
import { UnaskedFact } from '../unasked-fact.ts';
import { congestionMachine } from './machine.ts';
import type { CongestionMachine } from './machine.ts';
import type { CongestionInputs, CongestionVariables } from './variables.ts';

const tableNames = [
  'notify',
  'cnp-pace',
  'cnp-prompt',
  'cnp-format',
  'ecn-sent',
  'marked',
  'cnp-received',
  'cnp-reaction',
  'rate-cnp',
  'rate-cut',
  'rate-alpha',
  'rate-increase',
  'rate-step',
  'rate-range',
  'rate-owed',
  'pace',
  'hop-mark',
  'hop-fate',
  'hop-pause',
] as const;
export type TableName = (typeof tableNames)[number];

/** Facts that are given by name, in the place of what the machine would make of the inputs. */
export type GivenFacts = Readonly<Record<string, string>>;

type Fill = (inputs: Partial<CongestionInputs>, registers: CongestionVariables) => void;

/** One table `cc-...`: its facts are what the machine makes of inputs and registers, unless they are given. */
class CongestionTable {
  readonly #row: FactRow;
  readonly #facts: readonly { name: string; slot: FactSlot; fill: Fill | undefined }[];
  /** all of them; absent where one has no meaning */
  readonly #fill: Fill | undefined;

  constructor(rules: RuleSet, machine: CongestionMachine, name: TableName) {
    const row = new FactRow(requiredTable(rules, `cc-${name}`));
    this.#row = row;
    this.#facts = row.table.facts.map((fact) => ({
      name: fact.name,
      slot: row.slot(fact.name),
      fill: machine.machine.facts.has(fact.name) ? machine.filler(row, [fact.name]) : undefined,
    }));
    if (this.#facts.every(({ fill }) => fill !== undefined))
      this.#fill = machine.filler(
        row,
        this.#facts.map(({ name }) => name),
      );
  }

  decide(
    inputs: Partial<CongestionInputs>,
    registers: CongestionVariables,
    given: GivenFacts | undefined,
  ): readonly Rule[] {
    if (given === undefined && this.#fill !== undefined) this.#fill(inputs, registers);
    else this.#fillBut(given ?? {}, inputs, registers);
    return this.#row.table.decide(this.#row.values);
  }

  #fillBut(given: GivenFacts, inputs: Partial<CongestionInputs>, registers: CongestionVariables): void {
    for (const { name, slot, fill } of this.#facts) {
      const value = given[name];
      if (value !== undefined) slot.set(value);
      else if (fill !== undefined) fill(inputs, registers);
      else throw new UnaskedFact(this.#row.table.id, name);
    }
  }

  /** Value of one fact of the table that the machine gives a meaning to. */
  value(fact: string, inputs: Partial<CongestionInputs>, registers: CongestionVariables): string {
    const at = this.#facts.findIndex(({ name }) => name === fact);
    this.#facts[at]?.fill?.(inputs, registers);
    const value = this.#row.table.facts[at]?.values[this.#row.values[at] ?? -1];
    if (value === undefined) throw new RangeError(`table ${this.#row.table.id} has no fact ${fact}`);
    return value;
  }
}

/** The machine of congestion control, and its tables by what follows `cc-` in their names. */
export interface CongestionRules {
  readonly machine: CongestionMachine;
  readonly tables: Readonly<Record<TableName, CongestionTable>>;
}

/** RangeError if the rules lack one of them. */
export function congestionRules(rules: RuleSet): CongestionRules {
  const machine = congestionMachine(rules);
  const entries = tableNames.map((name) => [name, new CongestionTable(rules, machine, name)] as const);
  return { machine, tables: Object.fromEntries(entries) as Record<TableName, CongestionTable> };
}
