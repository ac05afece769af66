/**
 * Types of what a machine computes with.
 * - `psn`: 24 bits, arithmetic modulo 2^24; `int`: a whole number; `number`: any; `time`: nanoseconds; `flag`: true or false.
 * - `address`: of a host; it is compared and copied only.
 * - a list of words: one of them.
 */
export type PlainType = 'psn' | 'int' | 'number' | 'time' | 'flag' | 'address' | readonly string[];

export interface ValueType {
  readonly plain: PlainType;
  /** it may be unknown: -1 for numbers, undefined for all else; only what is known can be compared */
  readonly unknown: boolean;
  /** for `int`: the engine keeps every value from 0 to this that it may have, as a bit set; at most 30 */
  readonly upTo?: number;
}

export const flag: ValueType = { plain: 'flag', unknown: false };

/** For messages. */
export function typeName({ plain, unknown, upTo }: ValueType): string {
  const name =
    upTo !== undefined ? `0..${upTo}` : typeof plain === 'string' ? plain : `one of ${plain.join(', ')}`;
  return unknown ? `${name} or unknown` : name;
}

export const isNumeric = ({ plain }: ValueType): boolean =>
  plain === 'int' || plain === 'number' || plain === 'time';

/** Whether -1 stands for an unknown value of the type; `undefined` does for all others. */
export const isNumber = (type: ValueType): boolean => isNumeric(type) || type.plain === 'psn';

export const isWord = (type: ValueType): type is ValueType & { plain: readonly string[] } =>
  typeof type.plain !== 'string';
