/** A JSON Schema, as far as the protocol needs it. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Checks an unknown value and returns it in its type; throws ShapeError naming the path where it does not fit. `schema` says the
 * same to other languages.
 */
export interface Check<T> {
  (value: unknown, path: string): T;
  readonly schema: Schema;
}
export type Checked<C> = C extends Check<infer T> ? T : never;

/** A message that does not have the agreed shape. */
export class ShapeError extends Error {
  constructor(path: string, wanted: string, value: unknown) {
    const text =
      JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? `${entry}n` : entry)) ??
      String(value);
    super(`${path} must be ${wanted}, not ${text.length > 80 ? `${text.slice(0, 80)}...` : text}`);
    this.name = 'ShapeError';
  }

  /** A field that has to be there is not; `hint`: what it would look like */
  static missing(path: string, hint?: string): ShapeError {
    const error = new ShapeError(path, 'present', undefined);
    error.message = `${path} is missing${hint === undefined ? '' : `: ${hint}`}`;
    return error;
  }

  /** A value is none of many `names`. */
  static none(path: string, names: readonly string[], value: unknown): ShapeError {
    const error = new ShapeError(path, 'another word', value);
    error.message = `${path} is ${JSON.stringify(value) ?? String(value)}; there are: ${names.join(', ')}`;
    return error;
  }

  /** A field is there that is none of `names`. */
  static unknown(path: string, names: readonly string[]): ShapeError {
    const error = new ShapeError(path, 'absent', undefined);
    error.message = `${path} is unknown; there are: ${names.join(', ')}`;
    return error;
  }
}

function check<T>(schema: Schema, run: (value: unknown, path: string) => T): Check<T> {
  return Object.assign(run, { schema });
}

const widest = Number.MAX_SAFE_INTEGER;

export const integer: Check<number> = check(
  { type: 'integer', minimum: 0, maximum: widest },
  (value, path) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw new ShapeError(path, 'an integer from 0 to 2^53 - 1', value);
    return value;
  },
);

/** An integer from `least` to `most`. */
export function between(least: number, most: number): Check<number> {
  return check({ type: 'integer', minimum: least, maximum: most }, (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      throw new ShapeError(path, `an integer from ${least} to ${most}`, value);
    return value;
  });
}

/** An integer from 0 to `most`, e.g. what a field of a packet holds. */
export function upTo(most: number): Check<number> {
  return between(0, most);
}

/** An integer with a sign, e.g. an offset. */
export const signed: Check<number> = check(
  { type: 'integer', minimum: -widest, maximum: widest },
  (value, path) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw new ShapeError(path, 'an integer', value);
    return value;
  },
);

/** A number of 0 or more, e.g. a rate or a share. */
export const amount: Check<number> = check({ type: 'number', minimum: 0 }, (value, path) => {
  if (typeof value !== 'number' || !(value >= 0) || !Number.isFinite(value))
    throw new ShapeError(path, 'a number of 0 or more', value);
  return value;
});

export const text: Check<string> = check({ type: 'string' }, (value, path) => {
  if (typeof value !== 'string') throw new ShapeError(path, 'a string', value);
  return value;
});

export const flag: Check<boolean> = check({ type: 'boolean' }, (value, path) => {
  if (typeof value !== 'boolean') throw new ShapeError(path, 'true or false', value);
  return value;
});

export const nothing: Check<null> = check({ type: 'null' }, (value, path) => {
  if (value !== null && value !== undefined) throw new ShapeError(path, 'null', value);
  return null;
});

export const anything: Check<unknown> = check({}, (value) => value);

/** A 64-bit unsigned value, written as a decimal string. */
export const wide: Check<bigint> = check({ type: 'string', pattern: '^[0-9]{1,20}$' }, (value, path) => {
  if (typeof value !== 'string' || !/^[0-9]{1,20}$/.test(value))
    throw new ShapeError(path, 'a decimal string', value);
  return BigInt(value);
});

/** Bytes, written in base64. */
export const bytes: Check<Buffer> = check(
  { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$', contentEncoding: 'base64' },
  (value, path) => {
    if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw new ShapeError(path, 'base64', value);
    return Buffer.from(value, 'base64');
  },
);

/** So many bytes, written in base64. */
export function sized(least: number, most: number): Check<Buffer> {
  const characters = (count: number): number => 4 * Math.ceil(count / 3);
  const schema = { ...bytes.schema, minLength: characters(least), maxLength: characters(most) };
  return check(schema, (value, path) => {
    const found = bytes(value, path);
    if (found.length < least || found.length > most)
      throw new ShapeError(path, `${least} to ${most} bytes in base64 (it has ${found.length})`, value);
    return found;
  });
}

/** A string of one form, such as an address. `fits`: what no pattern says */
export function matching(
  pattern: RegExp,
  wanted: string,
  fits: (value: string) => boolean = () => true,
): Check<string> {
  return check({ type: 'string', pattern: pattern.source }, (value, path) => {
    if (typeof value !== 'string' || !pattern.test(value) || !fits(value))
      throw new ShapeError(path, wanted, value);
    return value;
  });
}

/** A string out of a closed list. */
export function oneOf<T extends string>(...names: T[]): Check<T> {
  const known = new Set<string>(names);
  return check({ enum: names }, (value, path) => {
    if (typeof value === 'string' && known.has(value)) return value as T;
    // a long list hides the word that is wrong
    if (names.length > 8) throw ShapeError.none(path, names, value);
    throw new ShapeError(path, names.join(' or '), value);
  });
}

/** A string that begins with `prefix`, e.g. the open set of completion codes. */
export function prefixed<P extends string>(prefix: P): Check<`${P}${string}`> {
  return check({ type: 'string', pattern: `^${prefix}` }, (value, path) => {
    if (typeof value !== 'string' || !value.startsWith(prefix))
      throw new ShapeError(path, `a name in ${prefix}`, value);
    return value as `${P}${string}`;
  });
}

/** A number out of a closed list. */
export function numberOf<T extends number>(...numbers: T[]): Check<T> {
  return check({ enum: numbers }, (value, path) => {
    const found = numbers.find((n) => n === value);
    if (found === undefined) throw new ShapeError(path, numbers.join(' or '), value);
    return found;
  });
}

/** The value, or null. */
export function orNull<T>(inner: Check<T>): Check<T | null> {
  return check({ anyOf: [inner.schema, { type: 'null' }] }, (value, path) =>
    value === null ? null : inner(value, path),
  );
}

export function list<T>(item: Check<T>): Check<T[]> {
  return check({ type: 'array', items: item.schema }, (value, path) => {
    if (!Array.isArray(value)) throw new ShapeError(path, 'an array', value);
    return value.map((entry, i) => item(entry, `${path}[${i}]`));
  });
}

/** A list with one entry at least. */
export function someOf<T>(item: Check<T>): Check<T[]> {
  const entries = list(item);
  return check({ ...entries.schema, minItems: 1 }, (value, path) => {
    const found = entries(value, path);
    if (found.length === 0) throw new ShapeError(path, 'an array with one entry at least', value);
    return found;
  });
}

/** Any keys, with values of one kind. */
export function dictionary<T>(item: Check<T>): Check<Record<string, T>> {
  return check({ type: 'object', additionalProperties: item.schema }, (value, path) => {
    if (!isRecord(value)) throw new ShapeError(path, 'an object', value);
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, item(entry, `${path}.${key}`)]),
    );
  });
}

/** The first of two shapes that fits. */
export function either<A, B>(a: Check<A>, b: Check<B>): Check<A | B> {
  return check({ anyOf: [a.schema, b.schema] }, (value, path) => {
    try {
      return a(value, path);
    } catch {
      return b(value, path);
    }
  });
}

type Shape = Record<string, Check<unknown>>;
type Required_<S extends Shape> = { [K in keyof S]: Checked<S[K]> };
type Optional_<S extends Shape> = { [K in keyof S]?: Checked<S[K]> };

/** An object with exactly these keys; keys of the second shape may be missing. */
export function object<R extends Shape>(required: R): Check<Required_<R>>;
export function object<R extends Shape, O extends Shape>(
  required: R,
  optional: O,
): Check<Required_<R> & Optional_<O>>;
export function object(required: Shape, optional: Shape = {}): Check<unknown> {
  const checks: Shape = { ...required, ...optional };
  const properties = Object.fromEntries(Object.entries(checks).map(([key, { schema }]) => [key, schema]));
  const names = Object.keys(required);
  const schema = {
    type: 'object',
    ...(names.length > 0 && { required: names }),
    properties,
    additionalProperties: false,
  };
  const known = new Map(Object.entries(checks));
  return check(schema, (value, path) => {
    if (!isRecord(value)) throw new ShapeError(path, 'an object', value);
    const out: Record<string, unknown> = {};
    const given = new Map<string, unknown>(Object.entries(value));
    for (const key of names) if (!given.has(key)) throw ShapeError.missing(`${path}.${key}`);
    for (const [key, entry] of given) {
      const inner = known.get(key);
      if (inner === undefined) throw ShapeError.unknown(`${path}.${key}`, [...known.keys()]);
      out[key] = inner(entry, `${path}.${key}`);
    }
    return out;
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const definitions = new Map<string, Schema>();

/** A shape that schemas define once, under this name. */
export function named<T>(name: string, inner: Check<T>): Check<T> {
  definitions.set(name, inner.schema);
  return check({ $ref: `#/$defs/${name}` }, (value, path) => inner(value, path));
}

/** What the schemas of named shapes refer to. */
export function schemaDefinitions(): Record<string, Schema> {
  return Object.fromEntries([...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
