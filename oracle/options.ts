/** What an option of a library call may be: in words, and as a test. */
export interface OptionKind {
  readonly wanted: string;
  fits(value: unknown): boolean;
}

/** The kind of each option of `O`, by its name. */
export type OptionKinds<O> = Readonly<Record<keyof O, OptionKind>>;

/** A kind of its own. */
export function kind(wanted: string, fits: (value: unknown) => boolean): OptionKind {
  return { wanted, fits };
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isList = (fits: (value: unknown) => boolean, value: unknown): boolean =>
  Array.isArray(value) && value.every(fits);

export const text = kind('a string', isText);
export const flag = kind('true or false', (value) => typeof value === 'boolean');
export const callback = kind('a function', (value) => typeof value === 'function');
export const duration = kind('a number of 0 or more', (value) => typeof value === 'number' && value >= 0);
export const texts = kind('an array of strings', (value) => isList(isText, value));
export const textOrTexts = kind(
  'a string or an array of strings',
  (value) => isText(value) || isList(isText, value),
);

export const textsByName = kind(
  'an object of strings by name',
  (value) => typeof value === 'object' && value !== null && Object.values(value).every(isText),
);

/** An integer of `least` to `most`. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER): OptionKind {
  const wanted =
    most === Number.MAX_SAFE_INTEGER ? `an integer of ${least} or more` : `an integer of ${least} to ${most}`;
  return kind(
    wanted,
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
  );
}

/** One of these words. */
export function oneOf(words: readonly string[]): OptionKind {
  return kind(words.join(' or '), (value) => words.some((word) => word === value));
}

/** An array of these words. */
export function someOf(words: readonly string[]): OptionKind {
  return kind(`an array of ${words.join(', ')}`, (value) =>
    isList((one) => words.some((word) => word === one), value),
  );
}

/** An object with these functions or values. */
export function having(what: string, ...names: readonly string[]): OptionKind {
  return kind(what, (value) => hasAll(value, names));
}

/** An array of objects with these functions or values. */
export function listHaving(what: string, ...names: readonly string[]): OptionKind {
  return kind(`an array of ${what}`, (value) => isList((one) => hasAll(one, names), value));
}

/** One kind or the other. */
export function either(one: OptionKind, other: OptionKind): OptionKind {
  return kind(`${one.wanted} or ${other.wanted}`, (value) => one.fits(value) || other.fits(value));
}

function hasAll(value: unknown, names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && names.every((name) => name in value);
}

function shown(value: unknown): string {
  const json = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return json.length > 80 ? `${json.slice(0, 80)}...` : json;
}

/**
 * Throws TypeError if an option is unknown or is not of its kind: a misspelt name or a wrong value would otherwise be ignored silently,
 * or make a run that tries nothing. An option that is `undefined` counts as absent.
 */
export function checkOptions<O>(given: unknown, kinds: OptionKinds<O>, of: string): void {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${of} takes an object of options, not ${shown(given)}`);
  const known = new Map<string, OptionKind>(Object.entries(kinds));
  for (const [name, value] of Object.entries(given)) {
    const expected = known.get(name);
    if (expected === undefined)
      throw new TypeError(`${of} has no option "${name}"; there are: ${[...known.keys()].join(', ')}`);
    if (value !== undefined && !expected.fits(value))
      throw new TypeError(`${of}: ${name} must be ${expected.wanted}, not ${shown(value)}`);
  }
}
