import type { ValueType } from './types.ts';

/** What a name in an expression stands for. */
export interface Named {
  readonly kind: 'variable' | 'value' | 'input';
  readonly type: ValueType;
}

/** The names that the expressions of a machine may use. */
export interface Scope {
  readonly names: ReadonlyMap<string, Named>;
  readonly timers: ReadonlySet<string>;
}
