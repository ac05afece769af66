import { lookupOf, type Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Objects } from '../device/objects.ts';
import { serviceOf, type Cq, type Qp, type Srq } from '../device/qp.ts';
import { knownCq, KnownQp, knownSrq, type KnownCq, type KnownSrq } from './objects.ts';
import type { Rule, RuleSet } from '../rules.ts';
import type { TraceHeader } from '../trace.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { Spot } from '../spot.ts';

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
  readonly objects: Objects;
  /** in the order in which they were made */
  readonly qps = new Map<Qp, KnownQp>();
  readonly #cqs = new WeakMap<Cq, KnownCq>();
  readonly #srqs = new WeakMap<Srq, KnownSrq>();
  readonly #tables: VerbsRules;

  constructor(tables: VerbsRules, ledger: Ledger, header: TraceHeader, objects: Objects) {
    this.#tables = tables;
    this.ledger = ledger;
    this.header = header;
    this.objects = objects;
  }

  /** A QP was made of a service that the rules speak of. */
  add(qp: Qp): void {
    const service = serviceOf(qp);
    if (service === undefined) return;
    const sendCq = this.ofCq(qp.sendCq);
    const receiveCq = this.ofCq(qp.receiveCq);
    const srq = qp.srq && this.ofSrq(qp.srq);
    this.qps.set(qp, new KnownQp(qp, service, { sendCq, receiveCq, srq }));
  }

  of(qp: Qp): KnownQp | undefined {
    return this.qps.get(qp);
  }

  byNumber(number: number): KnownQp | undefined {
    const qp = this.objects.byNumber(number);
    return qp && this.qps.get(qp);
  }

  /** The QPs of a queue, in the order in which they were made. */
  on(queue: Cq | Srq): KnownQp[] {
    return [...queue.qps].flatMap((qp) => this.qps.get(qp) ?? []);
  }

  ofCq(cq: Cq): KnownCq {
    let known = this.#cqs.get(cq);
    if (known === undefined) this.#cqs.set(cq, (known = knownCq(cq)));
    return known;
  }

  ofSrq(srq: Srq): KnownSrq {
    let known = this.#srqs.get(srq);
    if (known === undefined) this.#srqs.set(srq, (known = knownSrq(srq)));
    return known;
  }

  cq(handle: number): KnownCq | undefined {
    const cq = this.objects.cq(handle);
    return cq && this.ofCq(cq);
  }

  srq(handle: number): KnownSrq | undefined {
    const srq = this.objects.srq(handle);
    return srq && this.ofSrq(srq);
  }

  get capabilities(): ReadonlySet<string> | undefined {
    return this.objects.capabilities;
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

  /** The word that the rules have for an outcome; not counted as exercised. */
  says(table: TableName, facts: Readonly<Record<string, string>>, outcome: string): string | undefined {
    const [rule] = this.#tables[table](facts);
    return rule && outcomeWord(rule.outcomes[0] ?? {}, outcome);
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
