import { causesOf, type Cause } from '../../report/causes/causes.ts';
import { findingName, type RunResult } from '../../report/results.ts';

/** A mutant, the rules that it says it breaks, and what a run on it found. */
export interface Tried {
  id: string;
  rules: ReadonlySet<string>;
  result: RunResult;
}

const share = (part: number, all: number): string =>
  `${part} of ${all} (${((100 * part) / Math.max(1, all)).toFixed(0)} %)`;

const allOf = ({ findings, consequences }: Cause): string[] =>
  [...findings, ...consequences].map(findingName);

/** A device with the defects of both: its findings are those of both. Undefined where both break one rule, which would be one finding. */
function together(a: RunResult, b: RunResult): RunResult | undefined {
  const own = new Set(a.failures.map(({ rule }) => rule));
  if (b.failures.some(({ rule }) => own.has(rule))) return undefined;
  const broken = new Map(b.rules.map((rule) => [rule.id, rule]));
  const rules = a.rules.map((rule) => {
    const other = broken.get(rule.id);
    return other === undefined || rule.violations >= other.violations ? rule : other;
  });
  return { ...a, rules, failures: [...a.failures, ...b.failures] };
}

/** Whether a cause of a device with two defects holds findings of both. */
function mixes(a: RunResult, b: RunResult, both: RunResult): boolean {
  const [ofA, ofB] = [a, b].map(({ failures }) => new Set(failures.map(findingName)));
  return causesOf(both).some((cause) => {
    const names = allOf(cause);
    return names.some((name) => ofA?.has(name)) && names.some((name) => ofB?.has(name));
  });
}

/** How many have so many: "1: 81, 2: 20". */
function distribution(counts: readonly number[]): string {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  const sorted = [...times].toSorted(([a], [b]) => a - b);
  return sorted.map(([count, own]) => `${count}: ${own}`).join(', ');
}

/** How reports of devices with one defect, and with two, name what is wrong; a line each. */
export function figuresOf(tried: readonly Tried[]): string[] {
  const found = tried
    .map((one) => ({ ...one, causes: causesOf(one.result) }))
    .filter(({ causes }) => causes.length > 0);
  const named = found.filter(({ rules, causes }) => rules.has(causes[0]?.findings[0]?.rule ?? ''));
  const held = found.filter(({ rules, causes }) => causes[0]?.findings.some(({ rule }) => rules.has(rule)));
  const only = found.filter(({ rules, result }) => result.failures.every(({ rule }) => rules.has(rule)));
  const one = found.filter(({ causes }) => causes.length === 1);
  const alone = named.filter(({ causes }) => causes.length === 1);
  const causes = found.reduce((sum, { causes: own }) => sum + own.length, 0);
  let pairs = 0;
  let mixed = 0;
  for (const [i, { result: a }] of found.entries()) {
    for (const { result: b } of found.slice(i + 1)) {
      const both = together(a, b);
      if (both === undefined) continue;
      pairs++;
      if (mixes(a, b, both)) mixed++;
    }
  }
  return [
    `mutants with findings: ${share(found.length, tried.length)}`,
    `a rule of the mutant names the first cause: ${share(named.length, found.length)}; the first cause holds one: ${share(held.length, found.length)}`,
    `it names the only cause: ${share(alone.length, found.length)}`,
    `all findings break rules of the mutant: ${share(only.length, found.length)}`,
    `one cause: ${share(one.length, found.length)}; ${(causes / Math.max(1, found.length)).toFixed(2)} causes each`,
    `mutants by causes: ${distribution(found.map(({ causes: own }) => own.length))}`,
    `two mutants at a time, of which some cause holds findings of both: ${share(mixed, pairs)}`,
  ];
}
