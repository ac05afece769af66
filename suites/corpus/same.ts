/**
 * Whether two values hold the same: plain data with Maps, Sets, bytes and bigints. Maps are equal whatever the order of their
 * keys; a property that is undefined counts as absent.
 */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameBytes(a, b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  }
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false;
    for (const [key, value] of a) if (!b.has(key) || !same(value, b.get(key))) return false;
    return true;
  }
  if (a instanceof Set) {
    if (!(b instanceof Set) || a.size !== b.size) return false;
    for (const item of a) if (!b.has(item)) return false;
    return true;
  }
  if (b instanceof Uint8Array || Array.isArray(b) || b instanceof Map || b instanceof Set) return false;
  return sameProperties(a as Record<string, unknown>, b as Record<string, unknown>);
}

function sameProperties(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const key in a) if (!same(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

/** The same as text for people: JSON with sorted keys, bytes in hex, Maps as objects. */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `"${value}n"`;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'undefined';
  if (value === null) return 'null';
  if (value instanceof Uint8Array) {
    return `"${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}"`;
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value instanceof Set) return canonical([...value]);
  const lines: string[] = [];
  if (value instanceof Map) {
    for (const [key, item] of value) lines.push(`${canonical(String(key))}:${canonical(item)}`);
  } else {
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) lines.push(`"${key}":${canonical(item)}`);
    }
  }
  return `{${lines.toSorted().join()}}`;
}
