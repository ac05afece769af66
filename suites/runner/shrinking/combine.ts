import type { Scenario } from '../../scenario.ts';

type Path = readonly (string | number)[];

/** A value that is another one; `value` is undefined where it is gone. */
interface Change {
  path: Path;
  value: unknown;
}

/**
 * The changes of several scenarios, each made of `base`, in one. Of two that change the same place the first one counts, and the other
 * one is left out whole.
 */
export function combined(base: Scenario, made: readonly Scenario[]): Scenario {
  const taken: Change[] = [];
  for (const scenario of made) {
    const changes = changesOf(base, scenario, []);
    const free = changes.every(({ path }) => taken.every((other) => !meet(path, other.path)));
    if (free) taken.push(...changes);
  }
  return taken.reduce<unknown>(
    (scenario, change) => changed(scenario, change.path, change.value),
    base,
  ) as Scenario;
}

/** One lies in the other. */
function meet(a: Path, b: Path): boolean {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return false;
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Smallest places in which two plain values differ; arrays of different lengths differ as a whole. */
function changesOf(before: unknown, after: unknown, path: Path): Change[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((entry, i) => changesOf(entry, after[i], [...path, i]));
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => changesOf(before[key], after[key], [...path, key]));
  }
  return [{ path, value: after }];
}

function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  if (Array.isArray(value)) return value.map((entry, i) => (i === key ? changed(entry, rest, to) : entry));
  if (!isRecord(value)) return value;
  const { [key]: inner, ...others } = value;
  const next = changed(inner, rest, to);
  return next === undefined ? others : { ...value, [key]: next };
}
