import type { Judgement, Violation } from '../../oracle/index.ts';
import type { DriveResult } from '../driver/index.ts';
import type { Scenario } from '../scenario.ts';
import type { Generated } from './generate.ts';

/** Where a rule was first, or most clearly, seen violated. */
export interface Found {
  rule: string;
  property: string;
  generated: Generated;
  violation: Violation;
  /** 0 if no other rule was violated earlier in that trace */
  rank: number;
  size: number;
}

/** What the cases of a run add up to. */
export class Tally {
  cases = 0;
  packets = 0;
  readonly exercised = new Map<string, number>();
  readonly violations = new Map<string, number>();
  readonly inconclusive = new Map<string, number>();
  readonly notJudged = new Map<string, number>();
  /** by rule that leaves a choice: what the device did, in words */
  readonly choices = new Map<string, Map<string, number>>();
  /** by rule: the best case to begin shrinking from */
  readonly found = new Map<string, Found>();
  readonly casesByProperty = new Map<string, number>();
  readonly rulesByProperty = new Map<string, Set<string>>();
  readonly errorsByProperty = new Map<string, string[]>();

  /** Counts one judged case; gives the rules that it violated among those that `counts` selects. */
  add(
    property: string,
    generated: Generated,
    judged: { judgement: Judgement; drive: DriveResult },
    counts: (rule: string) => boolean,
  ): string[] {
    const { judgement } = judged;
    this.packets += judgement.packets;
    addAll(this.exercised, judgement.exercised);
    addAll(this.notJudged, judgement.notJudged);
    for (const [rule, counts] of judgement.observed) {
      const all = this.choices.get(rule) ?? new Map<string, number>();
      this.choices.set(rule, all);
      addAll(all, counts);
    }
    for (const reason of judgement.inconclusive) bump(this.inconclusive, reason, 1);
    const rules: string[] = [];
    for (const [rank, violation] of judgement.violations.entries()) {
      const { rule } = violation;
      if (!counts(rule)) continue;
      bump(this.violations, rule, 1);
      if (rules.includes(rule)) continue;
      rules.push(rule);
      const ofProperty = this.rulesByProperty.get(property) ?? new Set();
      this.rulesByProperty.set(property, ofProperty.add(rule));
      const size = sizeOf(generated.scenario);
      const before = this.found.get(rule);
      const better =
        before === undefined || rank < before.rank || (rank === before.rank && size < before.size);
      if (better) this.found.set(rule, { rule, property, generated, violation, rank, size });
    }
    return rules;
  }

  /** Counts one case of a property. */
  case(property: string): void {
    this.cases++;
    bump(this.casesByProperty, property, 1);
  }

  error(property: string, message: string): void {
    const list = this.errorsByProperty.get(property) ?? [];
    if (!list.includes(message)) list.push(message);
    this.errorsByProperty.set(property, list);
  }
}

/** How much a scenario says; smaller is easier to read. */
export function sizeOf(scenario: Scenario): number {
  const own = scenario.steps.length * 1000 + scenario.faults.length * 500;
  const others = scenario.beside?.members.reduce((sum, one) => sum + sizeOf(one), 0) ?? 0;
  return own + others + JSON.stringify(scenario).length;
}

function bump(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function addAll(counts: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [key, by] of more) bump(counts, key, by);
}
