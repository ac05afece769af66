import type { Impact } from '../spec/impacts.ts';
import type { MachineDraft } from './machine-draft.ts';
import type { Place } from './place.ts';

/** What the rules of `spec/machines/` compile to. Functions that make it: `oracle/compile/load.ts`. */

export type RuleLevel = 'must' | 'should' | 'may';
/**
 * What it means that several rules match one cell: the `first` decides; it cannot be (`unique`); `any` one of them may be
 * what the device goes by; `all` of them hold together.
 */
export type HitPolicy = 'first' | 'unique' | 'any' | 'all';

export type { Place } from './place.ts';

/**
 * What must be seen, by outcome key. Keys that the rule leaves out have their default, or are absent where there is none;
 * keys of kind `set` hold arrays: any one of the values is allowed.
 */
export type Outcome = Readonly<Record<string, string | readonly string[]>>;

/** One rule of a decision table, compiled. */
export interface Rule {
  readonly id: string;
  /** dense over all rules of the set, from 0; rises with the order in a file */
  readonly index: number;
  readonly table: string;
  readonly says: string;
  readonly level: RuleLevel;
  /** what it means that the rule is broken */
  readonly impact: Impact;
  /** statement ids */
  readonly covers: readonly string[];
  /** why it covers no statement */
  readonly uncovered?: string | undefined;
  /** capability words a device must declare for the rule to bind it */
  readonly requires: readonly string[];
  readonly source?: string | undefined;
  readonly erratum?: string | undefined;
  readonly latitude?: string | undefined;
  /** one for `then`, several for `oneOf`: each of them is allowed */
  readonly outcomes: readonly Outcome[];
  /** allowed values by fact; a fact that is absent may have any value */
  readonly when: Readonly<Record<string, readonly string[]>>;
  readonly location: Place;
}

/** Words of facts, by name. */
export type Words = Readonly<Record<string, string>>;
/** The number of the cell of a table; RangeError where a fact may have several values, or its word is missing. */
export type CellOf = (inputs: object, variables: object, given: Words | undefined) => number;

/** One dimension of a table. The index of a value in `values` is what `decide` takes. */
export interface FactDef {
  readonly name: string;
  readonly values: readonly string[];
}

/** One decision table, compiled: its facts, its rules, and the function that decides. */
export interface DecisionTable {
  readonly id: string;
  readonly about: string;
  /** the file's `on:` */
  readonly on: Readonly<Record<string, string>>;
  readonly hit: HitPolicy;
  readonly facts: readonly FactDef[];
  readonly rules: readonly Rule[];
  /**
   * The rules that decide one cell; values[i] = index of the value of facts[i]. One rule for `first` and `unique`, in rule
   * order for `any` and `all`; none for a cell that is declared impossible or does not exist. A lookup, not a scan.
   */
  decide(values: ArrayLike<number>): readonly Rule[];
  /**
   * All rules that some possible cell chooses, in rule order; masks[i] = bit set of the values that facts[i] may have
   * (bit n = value n; -1 for any). Answers are kept, so asking again costs a lookup per fact.
   */
  decideAny(masks: ArrayLike<number>): readonly Rule[];
  /** As `decide`, by the number of a cell: the index of the last fact counts one, that of the one before as many as it has values. */
  cell(number: number): readonly Rule[];
  /** As `decide`, by the words of the facts. RangeError where one is missing, or none of the vocabulary. */
  readonly by: (words: Words) => readonly Rule[];
}

/** What a fact means to a machine: read from its inputs and variables. */
export interface MachineFact {
  /** `one`: `read` gives the index of the value; `possible`: a bit set of those that it may have */
  readonly kind: 'one' | 'possible';
  /** of the vocabulary, in its order */
  readonly values: readonly string[];
  readonly read: (inputs: object, variables: object) => number;
  /** index of the likeliest of several */
  readonly likeliest: (inputs: object, variables: object) => number;
  /**
   * From here on the fact is known to have had the value of this index: of a variable that is kept with every value it may
   * have, those are left that agree. Absent where the fact asks for no such variable.
   */
  readonly narrow: ((inputs: object, variables: object, value: number) => void) | undefined;
}

/** The facts of one table for one packet or event, in the order of the table. */
export interface FactCells {
  /** index of the value; of the likeliest, where there are several */
  readonly values: number[];
  /** bit set of the values that are possible */
  readonly masks: number[];
  /** every fact has exactly one possible value */
  certain: boolean;
}

/** The variables of a machine as a whole. */
export interface MachineLayout {
  copy(from: object, to: object): void;
  /** Equal for variables that differ in nothing but what `absorb` takes in. */
  key(variables: object): string;
  /**
   * Takes in what another one may be besides: every value of what is kept with all of them, the longer time from which a
   * timer may count, the greatest or least of variables with `merges:`.
   */
  absorb(into: object, other: object): void;
}

/**
 * State of one machine of the spec, and what its words mean, compiled from `machine.yaml`. Variables are plain properties of
 * an object of the oracle's; inputs are what an event brings along. Both have generated types (`variables.ts` of its folder).
 */
export interface Machine {
  readonly draft: MachineDraft;
  /** by name; facts without an entry are built in, or another machine's */
  readonly facts: ReadonlyMap<string, MachineFact>;
  /** Makes the changes of state that an outcome names, in the order in which the YAML declares the outcomes. */
  apply(outcome: Outcome, inputs: object, variables: object): void;
  /** The change that one of the outcomes makes; nothing where the machine gives it no effect. RangeError: no such outcome. */
  effect(name: string): (outcome: Outcome, inputs: object, variables: object) => void;
  /**
   * Whether what was seen is as one of the outcomes demands; undefined where something that the condition needs is unknown, or
   * the value has none. RangeError: no such outcome.
   */
  holds(name: string): (outcome: Outcome, inputs: object, variables: object) => boolean | undefined;
  /** What fills in facts by their meaning, each at its position in a row. RangeError where one has none. */
  filler(positions: ReadonlyMap<string, number>): (inputs: object, variables: object, row: FactCells) => void;
  /** What finds a cell by the meaning of the facts; `given`: those whose words are given, as are those without a meaning. */
  cellOf(table: DecisionTable, given: ReadonlySet<string>): CellOf;
  readonly layout: MachineLayout;
  /** Sets every variable to its start value, and stops every timer. */
  start(inputs: object, variables: object): void;
  /** RangeError where there is no such step. */
  step(name: string): (inputs: object, variables: object) => void;
  /** A named value, or `TIMER phase`; RangeError where there is none. */
  value(name: string): (inputs: object, variables: object) => unknown;
}

/** All machines, tables and rules of a spec folder, compiled. */
export interface RuleSet {
  readonly machines: ReadonlyMap<string, Machine>;
  readonly tables: ReadonlyMap<string, DecisionTable>;
  /** by index */
  readonly rules: readonly Rule[];
  rule(id: string): Rule | undefined;
  /** the rules that these are a variant of, with which they share most */
  readonly base?: RuleSet;
  /** first 12 hex digits of the SHA-256 over the vocabulary's and the rule files' names and contents */
  readonly digest: string;
}
