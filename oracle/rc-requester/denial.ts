import type { Rule } from '../rules.ts';
import type { Tried, Verdict } from './explore.ts';

/**
 * The ways on which least is wrong, the likeliest of all first: of what is wrong on that one, some may be right where the device looks at
 * responses sooner or later, and what is wrong on another way alone says nothing. All of them break the same rules.
 */
export function leastWrong(tried: readonly Tried[]): Tried[] {
  const ways = tried.map((way) => ({ way, broken: brokenBy(way.verdict) }));
  const [likeliest] = ways;
  if (likeliest === undefined) return [];
  let least = likeliest;
  for (const other of ways)
    if (other.broken.size < least.broken.size && within(other.broken, likeliest.broken)) least = other;
  const { broken } = least;
  return ways
    .filter((other) => other.broken.size === broken.size && within(other.broken, broken))
    .map(({ way }) => way);
}

function brokenBy({ order, unmet }: Verdict): ReadonlySet<Rule> {
  return new Set([...unmet, ...(order === undefined ? [] : [order])].map(({ rule }) => rule));
}

function within(some: ReadonlySet<Rule>, all: ReadonlySet<Rule>): boolean {
  return [...some].every((rule) => all.has(rule));
}
