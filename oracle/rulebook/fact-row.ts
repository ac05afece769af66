import type { DecisionTable, FactCells } from '../rules.ts';

/** One fact of one table, being filled in for one packet. */
export class FactSlot {
  readonly #row: FactRow;
  readonly #position: number;
  readonly #index: ReadonlyMap<string, number>;
  readonly #name: string;
  #lastValue = '';
  #lastIndex = 0;

  constructor(row: FactRow, position: number, name: string, values: readonly string[]) {
    this.#row = row;
    this.#position = position;
    this.#name = name;
    this.#index = new Map(values.map((value, i) => [value, i]));
  }

  #of(value: string): number {
    // packets in a row mostly agree, so the comparison saves the lookup
    if (value === this.#lastValue) return this.#lastIndex;
    const index = this.#index.get(value);
    if (index === undefined)
      throw new RangeError(`the vocabulary has no value ${value} of the fact ${this.#name}`);
    this.#lastValue = value;
    this.#lastIndex = index;
    return index;
  }

  /** The trace shows the value. */
  set(value: string): void {
    const index = this.#of(value);
    this.#row.values[this.#position] = index;
    this.#row.masks[this.#position] = 1 << index;
  }

  /** The trace leaves it open: `assumed` is the likeliest, the others are possible as well. */
  unsure(assumed: string, ...others: readonly string[]): void {
    this.set(assumed);
    for (const value of others) {
      const slot = this.#row.masks[this.#position] ?? 0;
      this.#row.masks[this.#position] = slot | (1 << this.#of(value));
    }
    this.#row.certain = false;
  }
}

/** The facts of one table for one packet or event. */
export class FactRow implements FactCells {
  readonly table: DecisionTable;
  readonly values: number[];
  readonly masks: number[];
  /** every fact has exactly one possible value */
  certain = true;

  constructor(table: DecisionTable) {
    this.table = table;
    this.values = table.facts.map(() => 0);
    this.masks = table.facts.map(() => 1);
  }

  /** RangeError where the table does not ask for the fact: the vocabulary and the oracle disagree. */
  position(name: string): number {
    const position = this.table.facts.findIndex((fact) => fact.name === name);
    if (position < 0) throw new RangeError(`table ${this.table.id} of the vocabulary lacks the fact ${name}`);
    return position;
  }

  slot(name: string): FactSlot {
    const position = this.position(name);
    return new FactSlot(this, position, name, this.table.facts[position]?.values ?? []);
  }
}
