/** A value is not what a case file or token may hold; the message says where and what was expected. */
export class CaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CaseError';
  }
}

/** Checks one value; `path` says where it stands. Throws CaseError. */
export type Check = (value: unknown, path: string) => void;

function wrong(path: string, expected: string, value: unknown): CaseError {
  const shown = JSON.stringify(value)?.slice(0, 40) ?? typeof value;
  return new CaseError(`${path}: expected ${expected}, found ${shown}`);
}

export function integer(min: number, max: number): Check {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      throw wrong(path, `a whole number from ${min} to ${max}`, value);
    }
  };
}

export const flag: Check = (value, path) => {
  if (typeof value !== 'boolean') throw wrong(path, 'true or false', value);
};

export function text(pattern?: RegExp, what = 'a text'): Check {
  return (value, path) => {
    if (typeof value !== 'string' || (pattern !== undefined && !pattern.test(value)))
      throw wrong(path, what, value);
  };
}

export function oneOf(...values: readonly (string | number)[]): Check {
  return (value, path) => {
    if (!values.some((v) => v === value)) throw wrong(path, values.join(' or '), value);
  };
}

export function list(item: Check, most = 10_000): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, 'a list', value);
    if (value.length > most) throw new CaseError(`${path}: more than ${most} entries`);
    for (const [i, entry] of value.entries()) item(entry, `${path}[${i}]`);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with these keys and no others. */
export function object(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  return (value, path) => {
    if (!isObject(value)) throw wrong(path, 'an object', value);
    for (const key of Object.keys(required)) {
      if (value[key] === undefined) throw new CaseError(`${path}: "${key}" is missing`);
    }
    for (const [key, entry] of Object.entries(value)) {
      const check = required[key] ?? optional[key];
      if (check === undefined) throw new CaseError(`${path}: unknown key "${key}"`);
      check(entry, `${path}.${key}`);
    }
  };
}

/** An object whose `key` says which of the shapes it has. */
export function variant(key: string, shapes: Record<string, Check>): Check {
  return (value, path) => {
    if (!isObject(value)) throw wrong(path, 'an object', value);
    const name = value[key];
    const shape = typeof name === 'string' ? shapes[name] : undefined;
    if (shape === undefined) throw wrong(`${path}.${key}`, Object.keys(shapes).join(' or '), name);
    shape(value, path);
  };
}

export function either(first: Check, second: Check): Check {
  return (value, path) => {
    (typeof value === 'number' ? second : first)(value, path);
  };
}
