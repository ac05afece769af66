import { CqEventJudge } from '../cq-event/judge.ts';
import { CompletionQueue, CqJudge } from '../cq/judge.ts';
import type { ObjectListener, QpChange } from '../device/listener.ts';
import type { Objects } from '../device/objects.ts';
import { serviceOf, type Cq, type Qp, type Srq } from '../device/qp.ts';
import { Stalls } from '../device/stalls.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import type { TraceHeader } from '../trace.ts';
import type { VerbsRules, VerbsTable } from './machine.ts';
import { VerbsEvent } from './inputs.ts';
import { KnownQp, KnownSrq, type Holding, type UnderWay } from './objects.ts';
import { VerbsVariables } from './variables.ts';
import type { VerbsInputs, VerbsValue } from './variables.ts';

/** What the parts of the judge of verbs share: the rules, and what is known of the device's objects. */
export class VerbsContext implements ObjectListener {
  readonly header: TraceHeader;
  readonly rules: VerbsRules;
  readonly book: MachineBook<VerbsTable, VerbsVariables, VerbsInputs>;
  readonly objects: Objects;
  readonly completionQueues: CqJudge;
  readonly cqEvents: CqEventJudge;
  /** `traffic`: something was begun on the device since everything was last at rest */
  readonly sight: { readonly atDevice: boolean; traffic: boolean };
  readonly stalls = new Stalls();
  /** in the order in which they were made */
  readonly qps = new Map<Qp, KnownQp>();
  /** numbers of QPs that were destroyed, and of those that the rules do not speak of */
  readonly gone = new Set<number>();
  readonly #cqs = new WeakMap<Cq, CompletionQueue>();
  readonly #srqs = new WeakMap<Srq, KnownSrq>();
  readonly #underWay: UnderWay;
  readonly #nobody = new VerbsVariables();

  constructor(rules: VerbsRules, ledger: Ledger, header: TraceHeader, objects: Objects, underWay: UnderWay) {
    const { capabilities } = objects;
    this.rules = rules;
    this.book = new MachineBook(rules.tables, ledger, { capabilities });
    this.completionQueues = new CqJudge(rules.cq, ledger, {
      capabilities,
      exact: header.clock === 'virtual',
    });
    this.cqEvents = new CqEventJudge(rules.cqEvents, ledger, {
      stirred: () => this.sight.traffic,
      outstanding: (qp) => this.qps.get(qp)?.sends.length ?? 0,
      atDevice: header.sight.packets === 'at-device',
      capabilities,
    });
    this.header = header;
    this.objects = objects;
    this.sight = { atDevice: header.sight.packets === 'at-device', traffic: false };
    this.#underWay = underWay;
  }

  created(qp: Qp): void {
    const service = serviceOf(qp);
    if (service === undefined) return void this.gone.add(qp.qpNumber);
    const sendCq = this.ofCq(qp.sendCq);
    const receiveCq = this.ofCq(qp.receiveCq);
    const srq = qp.srq && this.ofSrq(qp.srq);
    this.qps.set(qp, new KnownQp(this.rules, qp, service, { sendCq, receiveCq, srq }, this.#underWay));
    this.gone.delete(qp.qpNumber);
  }

  modified(qp: Qp, { to }: QpChange): void {
    if (to === 'RESET') this.#letGo(qp);
  }

  /** What a QP had taken from its SRQ for a message that has not ended is gone with it. */
  #letGo(qp: Qp): void {
    const known = this.qps.get(qp);
    if (known?.srq === undefined || this.flag('hasLetGo', known)) return;
    const count = this.number('mayHaveTaken', known);
    known.srq.keep(count < 0 ? undefined : count);
  }

  destroyed(qp: Qp): void {
    this.#letGo(qp);
    if (this.qps.delete(qp)) this.gone.add(qp.qpNumber);
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

  ofCq(cq: Cq): CompletionQueue {
    let known = this.#cqs.get(cq);
    if (known === undefined) this.#cqs.set(cq, (known = new CompletionQueue(this.rules.cq, cq)));
    return known;
  }

  ofSrq(srq: Srq): KnownSrq {
    let known = this.#srqs.get(srq);
    if (known === undefined) {
      known = new KnownSrq(this.rules.srq, srq, (value) => this.#held(srq, value));
      this.#srqs.set(srq, known);
    }
    return known;
  }

  /** WQEs of an SRQ that its QPs may hold; `undefined` where that may be all. */
  #held(srq: Srq, value: Parameters<Holding>[0]): number | undefined {
    const taken = this.on(srq).map((qp) => this.number(value, qp));
    return taken.some((count) => count < 0) ? undefined : taken.reduce((sum, count) => sum + count, 0);
  }

  cq(handle: number): CompletionQueue | undefined {
    const cq = this.objects.cq(handle);
    return cq && this.ofCq(cq);
  }

  srq(handle: number): KnownSrq | undefined {
    const srq = this.objects.srq(handle);
    return srq && this.ofSrq(srq);
  }

  /** An event, of which is still to be said what there is besides the QP; `qp` undefined: it concerns none that is known. */
  event(qp: KnownQp | undefined): VerbsEvent {
    const event = new VerbsEvent();
    event.sight = this.sight;
    if (qp !== undefined) event.qp = qp.inputs;
    return event;
  }

  /** What the rules are asked of an event. */
  met(
    qp: KnownQp | undefined,
    inputs: VerbsEvent,
    given?: Readonly<Record<string, string>>,
  ): Met<VerbsVariables, VerbsInputs> {
    return { inputs, variables: qp ?? this.#nobody, given };
  }

  /** A work request of a queue, and the status with which it has completed. */
  work(
    qp: KnownQp | undefined,
    work: VerbsInputs['work'],
    wc?: VerbsInputs['wc'],
    event?: VerbsInputs['event'],
  ): Met<VerbsVariables, VerbsInputs> & { readonly inputs: VerbsEvent } {
    const inputs = this.event(qp);
    inputs.work = work;
    if (wc !== undefined) inputs.wc = wc;
    if (event !== undefined) inputs.event = event;
    return { inputs, variables: qp ?? this.#nobody };
  }

  /** A named condition of the machine. */
  flag(name: VerbsValue, qp: KnownQp, inputs: Partial<VerbsInputs> = this.event(qp)): boolean {
    return this.rules.machine.flag(name)(inputs, qp);
  }

  /** A named number of it; -1: unknown. */
  number(name: VerbsValue, qp: KnownQp): number {
    return this.rules.machine.number(name)(this.event(qp), qp);
  }
}
