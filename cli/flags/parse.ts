import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf, usageError } from '../exit-codes.ts';
import { durationForm, secondsOf } from './duration.ts';
import { flags, type Flag, type FlagKey } from './flags.ts';
import { unknownWord } from './nearest.ts';

/** What the command line says. Getters check the form of a value and throw a usage error that names the flag. */
export interface Arguments {
  operands: readonly string[];
  has(key: FlagKey): boolean;
  text(key: FlagKey): string | undefined;
  texts(key: FlagKey): readonly string[];
  /** whole number within the bounds */
  integer(key: FlagKey, min: number, max: number): number | undefined;
  /** seconds greater than 0 of a duration such as `90`, `90s`, `15m` or `2h` */
  seconds(key: FlagKey): number | undefined;
}

const flagByKey: Readonly<Record<FlagKey, Flag>> = flags;

function optionsFor(keys: readonly FlagKey[]): NonNullable<ParseArgsConfig['options']> {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const key of keys) {
    const flag = flagByKey[key];
    options[flag.name] = {
      type: flag.value === undefined ? 'boolean' : 'string',
      // what is given twice is seen only so
      multiple: flag.value !== undefined,
      ...(flag.short === undefined ? {} : { short: flag.short }),
    };
  }
  return options;
}

function thrownCode(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
}

function explain(thrown: unknown, keys: readonly FlagKey[]): string {
  const message = messageOf(thrown);
  if (thrownCode(thrown) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const given = /'(--?[^' ]+)/.exec(message)?.[1] ?? '';
    const known = keys.map((key) => `--${flagByKey[key].name}`);
    return unknownWord('flag', given, known);
  }
  // node's parser calls it ambiguous where another flag follows one that takes a value
  const bare = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument (?:is ambiguous|missing)/.exec(
    message,
  )?.[1];
  if (bare !== undefined) return `flag ${bare} needs a value`;
  // What it says is a sentence or two; the first one says what is wrong.
  return (message.split(/\. /)[0] ?? message).replace(/^Option '([^']+)'/, 'flag $1').replace(/\.$/, '');
}

/** Joins a flag to a negative number behind it, which would pass for a flag of its own: its getter says what it takes. */
function joinNumbers(argv: readonly string[], keys: readonly FlagKey[]): string[] {
  const names = new Set(
    keys.filter((key) => flagByKey[key].value !== undefined).map((key) => `--${flagByKey[key].name}`),
  );
  const joined: string[] = [];
  for (const word of argv) {
    const before = joined.at(-1);
    if (before !== undefined && names.has(before) && /^-[\d.]/.test(word))
      joined.splice(-1, 1, `${before}=${word}`);
    else joined.push(word);
  }
  return joined;
}

/**
 * Parses what stands behind the command's name. Throws a usage error for anything that `keys` do not allow, and for a flag
 * given twice that is not one for several values.
 */
export function parseArguments(argv: readonly string[], keys: readonly FlagKey[]): Arguments {
  const parsed = ((): ReturnType<typeof parseArgs> => {
    try {
      return parseArgs({
        args: joinNumbers(argv, keys),
        options: optionsFor(keys),
        allowPositionals: true,
        strict: true,
      });
    } catch (thrown) {
      throw usageError(explain(thrown, keys));
    }
  })();
  const values = (key: FlagKey): string[] => {
    const found = parsed.values[flagByKey[key].name];
    return (Array.isArray(found) ? found : [found]).filter((value) => typeof value === 'string');
  };
  for (const key of keys) {
    const { name, many = false } = flagByKey[key];
    if (!many && values(key).length > 1) throw usageError(`--${name} is given twice; it takes one value`);
  }
  const text = (key: FlagKey): string | undefined => values(key).at(-1);
  const read = (key: FlagKey, wanted: string, valueOf: (given: string) => number | undefined) => {
    const value = text(key);
    if (value === undefined) return undefined;
    const n = valueOf(value);
    if (n !== undefined) return n;
    throw usageError(`--${flagByKey[key].name} takes ${wanted}, not "${value}"`);
  };
  // such as a variable of the shell that was not set: as a file it would be the working directory
  const given = (key: FlagKey): string[] => {
    const all = values(key);
    if (all.some((value) => value.trim() === ''))
      throw usageError(`--${flagByKey[key].name} needs a value; what was given is empty`);
    return all;
  };
  return {
    operands: parsed.positionals,
    has: (key) => parsed.values[flagByKey[key].name] !== undefined,
    text: (key) => given(key).at(-1),
    texts: given,
    integer: (key, min, max) =>
      read(key, `a whole number from ${min} to ${max}`, (value) => {
        const n = Number(value);
        return /^-?\d+(?:e\d{1,2})?$/i.test(value) && n >= min && n <= max ? n : undefined;
      }),
    seconds: (key) => read(key, durationForm, secondsOf),
  };
}
