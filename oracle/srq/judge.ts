import type { DeviceAttr, RecvWr, SrqAttr } from '../../spec/verbs.ts';
import type { ObjectListener, SrqChange } from '../device/listener.ts';
import type { Srq } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { Spot, When } from '../spot.ts';
import type { SrqRules, SrqTable } from './machine.ts';
import { SrqVariables } from './variables.ts';
import type { SrqInputs, SrqStep } from './variables.ts';

/** An SRQ as its verbs show it. `queue`: what is on it, as it stands. */
export class SharedQueue extends SrqVariables {
  readonly srq: Srq;
  readonly queue: SrqInputs['queue'];
  /** index of the event in the trace that armed the limit, or showed that the WQEs fell below it */
  cause = 0;
  /** index of IBV_EVENT_SRQ_ERR in the trace; 0: none came */
  errorAt = 0;

  constructor({ machine }: SrqRules, srq: Srq, queue: SrqInputs['queue']) {
    super();
    this.srq = srq;
    this.queue = queue;
    machine.start({ srq }, this);
  }

  get name(): string {
    return `srq ${this.srq.handle}`;
  }
}

const noEvent = { raised: false, completion: false };
const srqError = 'IBV_EVENT_SRQ_ERR';
const limitReached = 'IBV_EVENT_SRQ_LIMIT_REACHED';

/** Judges what is posted to SRQs, their limits with their event, and the calls that set and ask for them. */
export class SrqJudge implements ObjectListener {
  readonly #rules: SrqRules;
  readonly #of: (srq: Srq) => SharedQueue;
  readonly #book: MachineBook<SrqTable, SrqVariables, SrqInputs>;
  /** IBV_DEVICE_SRQ_RESIZE, as the device says or its profile does */
  #resizes: boolean | undefined;

  constructor(
    rules: SrqRules,
    ledger: Ledger,
    capabilities: ReadonlySet<string> | undefined,
    of: (srq: Srq) => SharedQueue,
  ) {
    this.#rules = rules;
    this.#of = of;
    this.#book = new MachineBook(rules.tables, ledger, { capabilities });
    this.#resizes = capabilities?.has('srq-resize');
  }

  deviceQueried({ srq_resize: resizes }: DeviceAttr): void {
    this.#resizes = resizes ?? this.#resizes;
  }

  #met(queue: SharedQueue, inputs: Partial<SrqInputs>): Met<SrqVariables, SrqInputs> {
    return { inputs: { srq: queue.srq, queue: queue.queue, event: noEvent, ...inputs }, variables: queue };
  }

  #step(step: SrqStep, queue: SharedQueue, inputs: Partial<SrqInputs> = {}): void {
    this.#rules.machine.step(step)(this.#met(queue, inputs).inputs, queue);
  }

  post(queue: SharedQueue, wr: RecvWr, when: When, errno: number | undefined): void {
    const call = { refused: errno !== undefined };
    const met = this.#met(queue, { wr: { elements: wr.sg_list.length }, call });
    const rules = this.#book.decide('post-shared-receive', met);
    this.#book.ended(rules, met, { call: 'ibv_post_srq_recv', at: { ...when, qp: queue.name }, errno });
    if (errno === undefined) this.#step('posted', queue);
    if (errno === undefined && queue.inError)
      this.#step('postedInError', queue, { work: { index: when.event, succeeded: false } });
  }

  srqModified(srq: Srq, attr: SrqChange, when: When): void {
    this.#modify(this.#of(srq), attr, when, undefined);
  }

  srqRefused(srq: Srq, attr: SrqChange, errno: number, when: When): void {
    this.#modify(this.#of(srq), attr, when, errno);
  }

  #modify(queue: SharedQueue, attr: SrqChange, when: When, errno: number | undefined): void {
    const device = { resizes: this.#resizes };
    const met = this.#met(queue, { attr, device, call: { refused: errno !== undefined } });
    const at = { ...when, qp: queue.name };
    const rules = this.#book.decide('modify-srq', met);
    const unable = this.#book.unmet(rules, 'mustResize', met);
    if (errno === undefined)
      for (const rule of unable) this.#book.violate(rule, at, 'ibv_modify_srq fails', 'it succeeds');
    const others = rules.filter((rule) => !unable.includes(rule));
    this.#book.ended(others, met, { call: 'ibv_modify_srq', at, errno });
    if (errno !== undefined) return;
    this.#step('modified', queue, { attr });
    if (attr.srq_limit !== undefined) queue.cause = when.event;
  }

  srqQueried(srq: Srq, attr: SrqAttr, when: When): void {
    const queue = this.#of(srq);
    for (const rule of this.#book.broken('srq-query', 'mustLimit', this.#met(queue, { attr }))) {
      const wanted = ruleWord(rule, 'mustLimit') === 'as-set' ? queue.limit : 0;
      const spot = { ...when, qp: queue.name };
      this.#book.violate(rule, spot, `srq_limit ${wanted}`, `srq_limit ${attr.srq_limit}`);
    }
  }

  limitReached(queue: SharedQueue, when: When): void {
    const { limit } = queue;
    const met = this.#met(queue, { event: { ...noEvent, raised: true } });
    const observed = `${limitReached} with limit ${limit} and ${queue.queue.posted} work requests posted`;
    this.#book.came('srq-limit', met, { ...when, qp: queue.name }, `no ${limitReached}`, observed);
    this.#step('limitReached', queue);
  }

  /** A work request of the SRQ has completed. */
  completed(queue: SharedQueue, event: number): void {
    const seen = { event: { ...noEvent, completion: true } };
    const met = this.#met(queue, seen);
    if (this.#rules.machine.flag('explains')(met.inputs, queue)) this.#book.decide('srq-limit', met);
    const { fell } = queue;
    this.#step('completed', queue, seen);
    if (queue.fell && !fell) queue.cause = event;
  }

  /** IBV_EVENT_SRQ_ERR came. */
  failed(queue: SharedQueue, when: When): void {
    queue.errorAt = when.event;
    this.#step('failed', queue);
  }

  /** A message has completed a work request that was posted at this place of the trace. */
  late(queue: SharedQueue, index: number, at: Spot, observed: string): void {
    if (!queue.inError) return;
    const met = this.#met(queue, { work: { index, succeeded: true } });
    for (const rule of this.#book.broken('srq-lost', 'mustConsume', met))
      this.#book.violate(rule, at, `no completion after ${srqError}`, observed);
  }

  settle(queue: SharedQueue, t: number): void {
    const met = this.#met(queue, {});
    const spot = { event: queue.cause, t, qp: queue.name };
    if (this.#book.missed('srq-limit', met, spot, limitReached)) this.#step('missed', queue);
  }

  /** Everything is at rest, its QPs as well. */
  rested(queue: SharedQueue): void {
    this.#step('rested', queue);
  }
}
