import type { Violation } from '../../oracle/index.ts';
import type { LadderLine } from '../../report/results.ts';
import type { DriveResult } from '../driver/index.ts';
import { ladder } from '../ladder.ts';
import type { Scenario } from '../scenario.ts';
import type { CaseOutcome, CleanOutcome } from './devices/case-runner.ts';
import type { Generated } from './generate.ts';
import { upToFault } from './shrinking/guesses.ts';
import { findingKey, signatureOf } from './signature.ts';

/** Ways in which one rule is broken that are kept; a device that breaks it in more shows nothing new by them. */
const mostOfRule = 8;
/** Other cases of a finding that are kept, for the one that shows it best may not show it again. */
const mostOthers = 2;

/** A case of another property that shows a finding as well. */
export interface OtherCase {
  property: string;
  scenario: Scenario;
}

/** Where a finding was first, or most clearly, seen. */
export interface Found {
  rule: string;
  /** what tells it from other findings of the rule */
  signature: string;
  property: string;
  generated: Generated;
  violation: Violation;
  /** 0 if no other rule was violated earlier in that trace */
  rank: number;
  size: number;
  /** the device died of it */
  deadly?: boolean;
  /** the scenario up to the fault */
  upToFault?: Scenario;
  others: OtherCase[];
  /** the exchange of its case; drawn only where nothing smaller is shown */
  ladder?: () => LadderLine[];
}

/** Whether the device died in the exchange. */
export function isDead({ events }: Pick<DriveResult, 'events'>): boolean {
  return events.some(({ kind }) => kind === 'gone');
}

/** Whether one case shows a finding better than another. */
export function showsBetter(
  one: Pick<Found, 'rank' | 'size'>,
  other: Pick<Found, 'rank' | 'size'> | undefined,
): boolean {
  return other === undefined || one.rank < other.rank || (one.rank === other.rank && one.size < other.size);
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
  /** by finding (`findingKey`): the best case to begin shrinking from */
  readonly found = new Map<string, Found>();
  readonly casesByProperty = new Map<string, number>();
  readonly rulesByProperty = new Map<string, Set<string>>();
  readonly errorsByProperty = new Map<string, string[]>();

  /** Rules that were seen broken. */
  get broken(): Set<string> {
    return new Set([...this.found.values()].map(({ rule }) => rule));
  }

  /** Counts one judged case; gives the findings in it, of the rules that `counts` selects. */
  add(
    property: string,
    generated: Generated,
    judged: Exclude<CaseOutcome, { kind: 'error' }> | CleanOutcome,
    counts: (rule: string) => boolean,
  ): Found[] {
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
    if (judged.kind === 'clean') return [];
    const here = new Map<string, Found>();
    const size = judgement.violations.length === 0 ? 0 : sizeOf(generated.scenario);
    const deadly = isDead(judged.drive);
    for (const [rank, violation] of judgement.violations.entries()) {
      const { rule } = violation;
      if (!counts(rule)) continue;
      bump(this.violations, rule, 1);
      const signature = signatureOf(violation, judged.drive.events);
      const key = findingKey({ rule, signature });
      if (here.has(key)) continue;
      const ofProperty = this.rulesByProperty.get(property) ?? new Set();
      this.rulesByProperty.set(property, ofProperty.add(rule));
      const drawn = (): LadderLine[] => ladder(judged.drive.events, violation, judged.drive);
      const seen = { rule, signature, property, generated, violation, rank, size, deadly };
      const short = upToFault(generated.scenario, violation, judged.drive);
      here.set(key, {
        ...seen,
        ...(short !== undefined && { upToFault: short }),
        others: [],
        ladder: drawn,
      });
    }
    return [...here.values()].filter((found) => this.see(found));
  }

  /** Takes a case of a finding; false where the rule has too many others already. */
  see(found: Found): boolean {
    const { rule, property } = found;
    const key = findingKey(found);
    const before = this.found.get(key);
    if (before === undefined && this.waysOf(rule) >= mostOfRule) {
      bump(this.notJudged, `${rule} broken in further ways, beyond the first ${mostOfRule}`, 1);
      return false;
    }
    if (before === undefined) this.found.set(key, found);
    else if (showsBetter(found, before)) {
      const others =
        before.property === property
          ? before.others
          : [{ property: before.property, scenario: before.generated.scenario }, ...before.others];
      this.found.set(key, { ...found, others: others.slice(0, mostOthers) });
    } else if (before.property !== property && before.others.length < mostOthers) {
      before.others.push({ property, scenario: found.generated.scenario });
    }
    return true;
  }

  private waysOf(rule: string): number {
    return [...this.found.values()].filter((found) => found.rule === rule).length;
  }

  /** Counts one case of a property. */
  case(property: string): void {
    this.cases++;
    bump(this.casesByProperty, property, 1);
  }

  /** Notes an error of a property; whether it is a new one. */
  error(property: string, message: string): boolean {
    const list = this.errorsByProperty.get(property) ?? [];
    this.errorsByProperty.set(property, list);
    if (list.includes(message)) return false;
    list.push(message);
    return true;
  }
}

/** How much a scenario says; smaller is easier to read. */
export function sizeOf(scenario: Scenario): number {
  const own = scenario.steps.length * 1000 + scenario.faults.length * 500 + (scenario.path ? 1000 : 0);
  const others = scenario.beside?.members.reduce((sum, one) => sum + sizeOf(one), 0) ?? 0;
  return own + others + JSON.stringify(scenario).length;
}

function bump(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function addAll(counts: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [key, by] of more) bump(counts, key, by);
}
