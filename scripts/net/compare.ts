import type { Judgement, Violation } from '../../oracle/index.ts';
import type { Names } from './names.ts';
import { canonical, same } from '../../suites/corpus/same.ts';

/** One thing in which two builds differ. */
export interface Difference {
  /** of the judgement, or `trace` */
  field: string;
  /** rule, reason, or what else it stands under; empty where there is nothing of the kind */
  key: string;
  before: string;
  after: string;
  /** of a trace that was made of the case's own: how */
  view?: string;
}

/** What came of judging a trace: a judgement, or why there is none. */
export type Judged = Judgement | { thrown: string };

const nothing = '-';

/** What differs, both in the names of the build before; empty where nothing does. */
export function compareJudgements(before: Judged, after: Judged): Difference[] {
  if (same(before, after)) return [];
  const left = new Map(Object.entries(before));
  const right = new Map(Object.entries(after));
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((field) =>
    compareField(field, left.get(field), right.get(field)),
  );
}

function compareField(field: string, before: unknown, after: unknown): Difference[] {
  if (same(before, after)) return [];
  if (field === 'violations' && isViolations(before) && isViolations(after))
    return compareViolations(before, after);
  if (before instanceof Map && after instanceof Map) {
    return [...new Set<unknown>([...before.keys(), ...after.keys()])]
      .filter((key) => !same(before.get(key), after.get(key)))
      .map((key) => ({
        field,
        key: String(key),
        before: shown(before.get(key)),
        after: shown(after.get(key)),
      }));
  }
  return [{ field, key: '', before: shown(before), after: shown(after) }];
}

function shown(value: unknown): string {
  return value === undefined ? nothing : canonical(value);
}

function isViolations(value: unknown): value is readonly Violation[] {
  return Array.isArray(value);
}

function compareViolations(before: readonly Violation[], after: readonly Violation[]): Difference[] {
  const gone = withoutCommon(before, after);
  const come = withoutCommon(after, before);
  if (gone.length + come.length === 0) {
    const rules = (list: readonly Violation[]): string => list.map(({ rule }) => rule).join(', ');
    return [{ field: 'order of violations', key: '', before: rules(before), after: rules(after) }];
  }
  const differences: Difference[] = [];
  for (const violation of gone) {
    const twin = come.findIndex(({ rule, event }) => rule === violation.rule && event === violation.event);
    const [other] = twin < 0 ? [] : come.splice(twin, 1);
    differences.push({
      field: 'violations',
      key: violation.rule,
      before: shown(violation),
      after: shown(other),
    });
  }
  for (const violation of come)
    differences.push({ field: 'violations', key: violation.rule, before: nothing, after: shown(violation) });
  return differences;
}

/** What is in the first list only, each as often as it is there more. */
function withoutCommon(list: readonly Violation[], others: readonly Violation[]): Violation[] {
  const left = others.map(canonical);
  return list.filter((violation) => {
    const at = left.indexOf(canonical(violation));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** A judgement of the build after as the build before would have named it; counts of rules that were one are added up. */
export function inNamesBefore(judgement: Judged, { rules, texts }: Names): Judged {
  if ('thrown' in judgement || rules.size + texts.size === 0) return judgement;
  const ruleOf = (id: string): string => rules.get(id) ?? id;
  const textOf = (text: string): string => texts.get(text) ?? text;
  const observed = new Map<string, Map<string, number>>();
  for (const [id, choices] of judgement.observed) {
    const sum = observed.get(ruleOf(id)) ?? new Map<string, number>();
    for (const [choice, n] of choices) sum.set(textOf(choice), (sum.get(textOf(choice)) ?? 0) + n);
    observed.set(ruleOf(id), sum);
  }
  return {
    ...judgement,
    violations: judgement.violations.map((violation) => ({
      ...violation,
      rule: ruleOf(violation.rule),
      expected: textOf(violation.expected),
      observed: textOf(violation.observed),
    })),
    exercised: summed(judgement.exercised, ruleOf),
    observed,
    notJudged: summed(judgement.notJudged, textOf),
    inconclusive: judgement.inconclusive.map(textOf),
  };
}

function summed(counts: ReadonlyMap<string, number>, name: (key: string) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, n] of counts) sums.set(name(key), (sums.get(name(key)) ?? 0) + n);
  return sums;
}
