import type { CongestionProfile } from '../../spec/congestion.ts';
import { lookupOf, type Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Qp } from '../device/qp.ts';
import type { Stalls } from '../device/stalls.ts';
import type { Rule, RuleSet } from '../rules.ts';
import type { TraceHeader } from '../trace.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { Spot } from '../spot.ts';

const tableNames = [
  'notify',
  'cnp-pace',
  'cnp-prompt',
  'cnp-format',
  'ecn-sent',
  'marked',
  'cnp-received',
  'cnp-reaction',
  'rate-cnp',
  'rate-cut',
  'rate-alpha',
  'rate-increase',
  'rate-step',
  'rate-range',
  'rate-owed',
  'pace',
  'hop-mark',
  'hop-fate',
  'hop-pause',
] as const;
type TableName = (typeof tableNames)[number];

/** The tables `cc-...`, by the rest of their names. */
export type CongestionRules = Readonly<Record<TableName, Lookup>>;

/** RangeError if the vocabulary lacks one of them. */
export function congestionRules(rules: RuleSet): CongestionRules {
  const entries = tableNames.map((name) => [name, lookupOf(rules, `cc-${name}`)] as const);
  return Object.fromEntries(entries) as Record<TableName, Lookup>;
}

/** The rate of a QP keeps it from sending until then; times in nanoseconds of the trace. */
export type Hold = (qp: Qp, from: number, until: number) => void;

/** What the parts of the judge of congestion control share: the tables, what the device declares, and the ledger. */
export class CongestionContext {
  readonly header: TraceHeader;
  readonly ledger: Ledger;
  readonly stalls: Stalls;
  readonly profile: CongestionProfile | undefined;
  readonly #tables: CongestionRules;
  readonly #capabilities: ReadonlySet<string>;

  constructor(tables: CongestionRules, ledger: Ledger, header: TraceHeader, stalls: Stalls) {
    this.#tables = tables;
    this.ledger = ledger;
    this.header = header;
    this.stalls = stalls;
    this.profile = header.congestion;
    this.#capabilities = new Set(header.capabilities);
  }

  has(capability: 'rcm' | 'dcqcn' | 'rate-reports'): boolean {
    return this.#capabilities.has(capability);
  }

  /** Nanoseconds by which what waits for nothing may be late; infinite where times cannot be told. */
  get slack(): number {
    return this.header.timing?.responseTime ?? Number.POSITIVE_INFINITY;
  }

  /** Nanoseconds by which a gap may look shorter than it was. */
  get jitter(): number {
    return this.header.timing?.jitter ?? (this.header.clock === 'virtual' ? 0 : Number.POSITIVE_INFINITY);
  }

  /** Nanoseconds between two things that the device did, at the most. */
  gap(from: number, to: number): number {
    return to - this.stalls.earliest(from) + this.jitter;
  }

  /** Nanoseconds for which the device has been waited for, stalls left out. */
  waited(from: number, to: number): number {
    return to - from - this.stalls.between(from, to);
  }

  /** The rules that a table has for these facts; they count as exercised. */
  decide(table: TableName, facts: Readonly<Record<string, string>>): readonly Rule[] {
    const rules = this.#tables[table](facts);
    this.ledger.exercise(rules);
    return rules;
  }

  /** The device left undone what these facts would have forbidden: the rules that forbid it count as exercised. */
  refrained(table: TableName, facts: Readonly<Record<string, string>>): void {
    this.ledger.exercise(this.ask(table, facts).filter((rule) => ruleWord(rule, 'comes') === 'forbidden'));
  }

  /** The same as decide(), not counted. */
  ask(table: TableName, facts: Readonly<Record<string, string>>): readonly Rule[] {
    return this.#tables[table](facts);
  }

  /** The one rule that decides, and what it says of `key`. */
  word(
    table: TableName,
    facts: Readonly<Record<string, string>>,
    key: string,
  ): { rule: Rule; word: string | undefined } {
    const [rule] = this.decide(table, facts);
    if (rule === undefined) throw new RangeError(`table cc-${table} has no rule for a possible cell`);
    return { rule, word: outcomeWord(rule.outcomes[0] ?? {}, key) };
  }

  violate(rule: Rule, { event, t, qp }: Spot, expected: string, observed: string): void {
    this.ledger.violate({ rule: rule.id, event, t, qp, expected, observed });
  }
}

/** What a rule that leaves no choice says of a key. */
export function ruleWord(rule: Rule, key: string): string | undefined {
  return outcomeWord(rule.outcomes[0] ?? {}, key);
}
