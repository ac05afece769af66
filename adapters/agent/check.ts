/** Checks an unknown value and returns it in its type; throws ShapeError naming the path where it does not fit. */
export type Check<T> = (value: unknown, path: string) => T;
export type Checked<C> = C extends Check<infer T> ? T : never;

/** A message that does not have the agreed shape. */
export class ShapeError extends Error {
  constructor(path: string, wanted: string, value: unknown) {
    const text = JSON.stringify(value) ?? String(value);
    super(`${path} must be ${wanted}, not ${text.length > 80 ? `${text.slice(0, 80)}...` : text}`);
    this.name = 'ShapeError';
  }
}

export const integer: Check<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new ShapeError(path, 'an integer of 0 or more', value);
  return value;
};

/** An integer with a sign, e.g. an offset. */
export const signed: Check<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new ShapeError(path, 'an integer', value);
  return value;
};

export const text: Check<string> = (value, path) => {
  if (typeof value !== 'string') throw new ShapeError(path, 'a string', value);
  return value;
};

export const flag: Check<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new ShapeError(path, 'true or false', value);
  return value;
};

export const nothing: Check<null> = (value, path) => {
  if (value !== null && value !== undefined) throw new ShapeError(path, 'null', value);
  return null;
};

/** A 64-bit unsigned value, written as a decimal string. */
export const wide: Check<bigint> = (value, path) => {
  if (typeof value !== 'string' || !/^[0-9]{1,20}$/.test(value))
    throw new ShapeError(path, 'a decimal string', value);
  return BigInt(value);
};

/** Bytes, written in base64. */
export const bytes: Check<Buffer> = (value, path) => {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
    throw new ShapeError(path, 'base64', value);
  return Buffer.from(value, 'base64');
};

/** A string out of a closed list. */
export function oneOf<T extends string>(...names: T[]): Check<T> {
  const known = new Set<string>(names);
  return (value, path) => {
    if (typeof value !== 'string' || !known.has(value)) throw new ShapeError(path, names.join(' or '), value);
    return value as T;
  };
}

/** A string that begins with `prefix`, e.g. the open set of completion codes. */
export function prefixed<P extends string>(prefix: P): Check<`${P}${string}`> {
  return (value, path) => {
    if (typeof value !== 'string' || !value.startsWith(prefix))
      throw new ShapeError(path, `a name in ${prefix}`, value);
    return value as `${P}${string}`;
  };
}

/** A number out of a closed list. */
export function numberOf<T extends number>(...numbers: T[]): Check<T> {
  return (value, path) => {
    const found = numbers.find((n) => n === value);
    if (found === undefined) throw new ShapeError(path, numbers.join(' or '), value);
    return found;
  };
}

export function list<T>(item: Check<T>): Check<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new ShapeError(path, 'an array', value);
    return value.map((entry, i) => item(entry, `${path}[${i}]`));
  };
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
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ShapeError(path, 'an object', value);
    const out: Record<string, unknown> = {};
    const given = new Map<string, unknown>(Object.entries(value));
    for (const key of Object.keys(required))
      if (!given.has(key)) throw new ShapeError(`${path}.${key}`, 'present', undefined);
    for (const [key, entry] of given) {
      const check = checks[key];
      if (check === undefined) throw new ShapeError(`${path}.${key}`, 'absent', entry);
      out[key] = check(entry, `${path}.${key}`);
    }
    return out;
  };
}
