import type { Capability, Profile } from '../../adapters/adapter.ts';
import type { Rule } from '../../oracle/index.ts';
import type { SuiteProperty } from '../property.ts';
import type { RunOptions } from './options.ts';

function listed(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value;
}

/** Rules that count. Throws RangeError for an unknown one. */
export function selectRules(
  rules: readonly Rule[],
  { rule, level }: Pick<RunOptions, 'rule' | 'level'>,
): Rule[] {
  const ids = listed(rule);
  for (const id of ids ?? []) if (!rules.some((r) => r.id === id)) throw new RangeError(`unknown rule ${id}`);
  return rules.filter((r) => (ids?.includes(r.id) ?? true) && (level === undefined || r.level === level));
}

/**
 * Properties that aim at the rules asked for, where there are such: the others would reach them by chance only. A rule that
 * none aims at has all of them tried.
 */
export function selectProperties(
  all: readonly SuiteProperty[],
  { suite, property, rule }: Pick<RunOptions, 'suite' | 'property' | 'rule'>,
): SuiteProperty[] {
  const suites = listed(suite);
  const chosen = all.filter(
    (p) => (suites?.includes(p.suite) ?? true) && (property === undefined || p.id === property),
  );
  const aiming = (listed(rule) ?? []).map((id) => chosen.filter((p) => p.aims?.includes(id) === true));
  if (aiming.length === 0 || aiming.some((some) => some.length === 0)) return chosen;
  return chosen.filter((p) => aiming.some((some) => some.includes(p)));
}

/** Rules that no chosen property aims at, where not all were chosen. */
export function aimedElsewhere(
  rules: readonly Rule[],
  all: readonly SuiteProperty[],
  chosen: readonly SuiteProperty[],
): ReadonlySet<string> {
  if (all.every((property) => chosen.includes(property))) return new Set();
  const near = new Set(chosen.flatMap(({ aims = [] }) => aims));
  return new Set(rules.map(({ id }) => id).filter((id) => !near.has(id)));
}

/** What a device has of what rules require. */
export function abilities({
  capabilities,
  minTimeout = 1,
}: Pick<Profile, 'capabilities' | 'minTimeout'>): readonly Capability[] {
  return [...capabilities, ...(minTimeout > 1 ? (['min-timeout'] as const) : [])];
}

/** Rules that a device can be held to. */
export function applicable(rules: readonly Rule[], profile: Profile): Rule[] {
  const have = abilities(profile);
  return rules.filter(({ requires }) => requires.every((word) => have.some((one) => one === word)));
}
