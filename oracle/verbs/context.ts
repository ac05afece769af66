import { lookupOf, type Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { KnownRegion } from './send-fault.ts';
import type { KnownCq, KnownSrq, KnownVerbsQp } from './objects.ts';
import type { Rule, RuleSet } from '../rules.ts';
import type { TraceHeader } from '../trace.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { Spot } from '../rulebook/spot.ts';

const tableNames = [
  'post-send',
  'post-receive',
  'post-shared-receive',
  'post-refused',
  'status',
  'completion',
  'send-fault',
  'flush',
  'state',
  'modify',
  'event',
  'established',
  'drained',
  'last-wqe',
  'srq-limit',
  'srq-query',
  'modify-srq',
  'cq-error',
  'cq-lost',
  'qp-fatal',
  'port-event',
  'port-query',
  'port-flag',
  'guard',
] as const;
type TableName = (typeof tableNames)[number];

/** The tables `verbs-...`, by the rest of their names. */
export type VerbsRules = Readonly<Record<TableName, Lookup>>;

/** RangeError if the vocabulary lacks one of them. */
export function verbsRules(rules: RuleSet): VerbsRules {
  const entries = tableNames.map((name) => [name, lookupOf(rules, `verbs-${name}`)] as const);
  return Object.fromEntries(entries) as Record<TableName, Lookup>;
}

/** What the parts of the judge of verbs share: the tables, what is known of the device's objects, and the ledger. */
export class VerbsContext {
  readonly header: TraceHeader;
  readonly ledger: Ledger;
  readonly qps = new Map<number, KnownVerbsQp>();
  readonly byNumber = new Map<number, KnownVerbsQp>();
  readonly cqs = new Map<number, KnownCq>();
  readonly srqs = new Map<number, KnownSrq>();
  readonly regions = new Map<number, KnownRegion>();
  readonly byLkey = new Map<number, KnownRegion>();
  readonly capabilities: ReadonlySet<string> | undefined;
  /** of ibv_query_port; `undefined` until it is asked */
  maxMessage: number | undefined;
  mtu: number | undefined;
  readonly #tables: VerbsRules;

  constructor(tables: VerbsRules, ledger: Ledger, header: TraceHeader) {
    this.#tables = tables;
    this.ledger = ledger;
    this.header = header;
    this.capabilities = header.capabilities && new Set(header.capabilities);
  }

  get atDevice(): boolean {
    return this.header.sight.packets === 'at-device';
  }

  /** The rules that a table has for these facts, those left out that the device need not follow; they count as exercised. */
  decide(table: TableName, facts: Readonly<Record<string, string>>): Rule[] {
    const lookup = this.#tables[table];
    const bound = lookup(facts).filter(({ requires }) =>
      requires.every((word) => this.capabilities?.has(word) !== false),
    );
    this.ledger.exercise(bound);
    return bound;
  }

  /** The rules that forbid what these facts say; not counted as exercised. */
  against(table: TableName, facts: Readonly<Record<string, string>>, outcome: string): Rule[] {
    const lookup = this.#tables[table];
    return lookup(facts).filter((rule) => outcomeWord(rule.outcomes[0] ?? {}, outcome) === 'forbidden');
  }

  /** The one rule that decides, and the word that it has for an outcome; `undefined` where it does not bind the device. */
  word(
    table: TableName,
    facts: Readonly<Record<string, string>>,
    outcome: string,
  ): { rule: Rule; word: string } | undefined {
    const [rule] = this.decide(table, facts);
    const word = rule && outcomeWord(rule.outcomes[0] ?? {}, outcome);
    return rule === undefined || word === undefined ? undefined : { rule, word };
  }

  violate(rule: Rule, { event, t, qp }: Spot, expected: string, observed: string): void {
    this.ledger.violate({ rule: rule.id, event, t, qp, expected, observed });
  }
}
