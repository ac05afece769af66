import type { Draw } from '../random.ts';

/** Plain value at the end of a path of keys. */
export interface Leaf {
  readonly path: readonly (string | number)[];
  readonly value: string | number | bigint | boolean;
}

function isLeaf(data: unknown): data is Leaf['value'] {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof data);
}

/** Every plain value in plain data, with its path; not those of bytes. */
export function* leavesOf(data: unknown, path: readonly (string | number)[] = []): Generator<Leaf> {
  if (typeof data === 'object' && data !== null) {
    if (data instanceof Uint8Array) return;
    for (const [key, value] of Object.entries(data)) yield* leavesOf(value, [...path, key]);
  } else if (isLeaf(data)) yield { path, value: data };
}

/** Plain data with another value at a path that it has. */
export function withLeaf<T>(data: T, [key, ...rest]: Leaf['path'], value: Leaf['value']): T {
  // the value takes the place of one of its kind, so that the data keep their shape
  if (key === undefined) return value as T;
  if (Array.isArray(data)) {
    const list: unknown[] = data;
    return list.with(Number(key), withLeaf(list[Number(key)], rest, value)) as T;
  }
  const fields = data as Record<string, unknown>;
  return { ...fields, [key]: withLeaf(fields[key], rest, value) } as T;
}

/** Plain data without what is at a path that it has: an element of a list, or a key. */
export function withoutLeaf<T>(data: T, [key, ...rest]: Leaf['path']): T {
  if (key === undefined) return data;
  if (Array.isArray(data)) {
    const list: unknown[] = data;
    const at = Number(key);
    return (rest.length === 0 ? list.toSpliced(at, 1) : list.with(at, withoutLeaf(list[at], rest))) as T;
  }
  const { [key]: value, ...others } = data as Record<string, unknown>;
  return (rest.length === 0 ? others : { ...others, [key]: withoutLeaf(value, rest) }) as T;
}

/** Another value in the place of one: its neighbour, an end of the range, or one that stands elsewhere by the same key. */
export function another(
  value: Leaf['value'],
  elsewhere: readonly Leaf['value'][],
  draw: Draw,
): Leaf['value'] {
  const alike = elsewhere.filter((other) => typeof other === typeof value && other !== value);
  const seen = draw.of(alike);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return seen ?? value;
  if (seen !== undefined && draw.below(2) === 0) return seen;
  if (typeof value === 'bigint') return value + (draw.of([1n, -1n, 64n, -value]) ?? 0n);
  const power = 2 ** draw.below(33);
  return (
    draw.of([
      value + 1,
      value - 1,
      0,
      2 * value,
      draw.below(256),
      power,
      power + 1,
      power - 1,
      Number(seen ?? 0) + 1,
    ]) ?? 0
  );
}
