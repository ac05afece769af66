import { RuleBook } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { Objects } from '../device/objects.ts';
import { serviceOf, type Cq, type Qp, type Srq } from '../device/qp.ts';
import { knownCq, KnownQp, knownSrq, type KnownCq, type KnownSrq } from './objects.ts';
import type { RuleSet } from '../rules.ts';
import type { TraceHeader } from '../trace.ts';
import type { Ledger } from '../rulebook/ledger.ts';

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
type VerbsTable = (typeof tableNames)[number];

/** The tables `verbs-...`, by the rest of their names. */
export type VerbsTables = Tables<VerbsTable>;

/** RangeError if the vocabulary lacks one of them. */
export function verbsTables(rules: RuleSet): VerbsTables {
  return new Tables(rules, tableNames, 'verbs-');
}

/** What the parts of the judge of verbs share: the rules, and what is known of the device's objects. */
export class VerbsContext {
  readonly header: TraceHeader;
  readonly book: RuleBook<VerbsTable>;
  readonly objects: Objects;
  /** in the order in which they were made */
  readonly qps = new Map<Qp, KnownQp>();
  readonly #cqs = new WeakMap<Cq, KnownCq>();
  readonly #srqs = new WeakMap<Srq, KnownSrq>();

  constructor(tables: VerbsTables, ledger: Ledger, header: TraceHeader, objects: Objects) {
    this.book = new RuleBook(tables, ledger, { capabilities: objects.capabilities });
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
}
