import type { Place } from './place.ts';

/** Type as it is written: `psn`, `int`, `number`, `time`, `flag`, `address`, `0..7`, or a list of words. */
export type TypeText = string | readonly string[];

export interface DeclaredName {
  readonly type: TypeText;
  readonly about: string;
  /** it may be unknown */
  readonly unknown?: boolean;
}

export interface VariableDraft extends DeclaredName {
  /** expression over inputs and values; absent: unknown at first, or set before it is read where it is never unknown */
  readonly starts?: string;
  /** which of several values that it may have is kept; absent: states that differ in it are kept apart */
  readonly merges?: 'greatest' | 'least';
}

export interface TimerDraft {
  readonly about: string;
  /** least and greatest time until it expires, in nanoseconds */
  readonly from: string;
  /** absent: the same */
  readonly to?: string;
  /** condition under which it never runs */
  readonly off?: string;
}

export interface ValueDraft extends DeclaredName {
  readonly is: string;
}

export interface ConditionDraft {
  readonly if: string;
  readonly do: readonly StatementDraft[];
  readonly else?: readonly StatementDraft[];
}

/** A statement, statements under a condition, or a list that stands elsewhere as well (an alias): the same one in each place. */
export type StatementDraft = string | ConditionDraft | { readonly all: readonly StatementDraft[] };

/** What a fact means to a machine. */
export interface FactMeaning {
  /** an expression of the fact's own words; or by value the condition under which it holds, the first that does */
  readonly is: string | Readonly<Record<string, string>>;
  /** where something that it needs is unknown: the likeliest value, or an expression of the fact's own words */
  readonly unknown?: string;
  /** further values that it may have, by value the condition under which it may */
  readonly may?: Readonly<Record<string, string>>;
}

/** What an outcome does to the state of a machine, by value. Values without an entry change nothing. */
export type EffectMeaning = Readonly<Record<string, readonly StatementDraft[]>>;

/** What an outcome demands of what was seen, by value: a condition. Values without an entry are built in, or demand nothing. */
export type DemandMeaning = Readonly<Record<string, string>>;

/** Words that no expression of the YAML can say: TypeScript gives them their meaning. */
export interface BuiltInDraft {
  /** why */
  readonly about: string;
  readonly facts: readonly string[];
  readonly outcomes: readonly string[];
  /** variables and named values that nothing in the YAML reads */
  readonly reads: readonly string[];
  /** variables that nothing in the YAML changes */
  readonly writes: readonly string[];
}

/** One machine as its files say, checked; plain data. */
export interface MachineDraft {
  readonly id: string;
  readonly about: string;
  readonly inputs: Readonly<Record<string, DeclaredName>>;
  readonly state: Readonly<Record<string, VariableDraft>>;
  readonly timers: Readonly<Record<string, TimerDraft>>;
  readonly values: Readonly<Record<string, ValueDraft>>;
  readonly facts: Readonly<Record<string, FactMeaning>>;
  readonly effects: Readonly<Record<string, EffectMeaning>>;
  readonly demands: Readonly<Record<string, DemandMeaning>>;
  /** changes of state that no rule decides, by the name of what happens */
  readonly steps: Readonly<Record<string, readonly StatementDraft[]>>;
  /** by file or folder of `oracle/<machine>/` in which TypeScript gives the words their meaning */
  readonly builtIns: Readonly<Record<string, BuiltInDraft>>;
  /** ids of the tables that its files declare */
  readonly tables: readonly string[];
  readonly location: Place;
}
