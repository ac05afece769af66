import type { Resizing } from '../device/listener.ts';
import type { Cq } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import type { Spot, When } from '../spot.ts';
import type { CqRules, CqTable } from './machine.ts';
import { CqVariables } from './variables.ts';
import type { CqInputs } from './variables.ts';

/** A CQ as its verbs show it. */
export class CompletionQueue extends CqVariables {
  readonly cq: Cq;
  /** place in the trace of the newest completion of those that were taken at once */
  newest = -1;

  constructor({ machine }: CqRules, cq: Cq) {
    super();
    this.cq = cq;
    machine.start({ cq }, this);
  }

  get inError(): boolean {
    return this.errorAt >= 0;
  }
}

const cqError = 'IBV_EVENT_CQ_ERR';

/** Judges whether CQs hold what comes, and what they give once they have failed. */
export class CqJudge {
  readonly #rules: CqRules;
  readonly #book: MachineBook<CqTable, CqVariables, CqInputs>;
  /** no time passes while software takes completions: what is taken at one moment was in the CQ together */
  readonly #sight: CqInputs['sight'];
  /** places in the trace of the completions that stand one behind the other up to now: of the first, and of the newest */
  #row = { from: 0, to: -1 };

  constructor(
    rules: CqRules,
    ledger: Ledger,
    { capabilities, exact }: { capabilities: ReadonlySet<string> | undefined; exact: boolean },
  ) {
    this.#rules = rules;
    this.#book = new MachineBook(rules.tables, ledger, { capabilities });
    this.#sight = { exact };
  }

  #met(
    queue: CompletionQueue,
    completions: CqInputs['completions'],
    raised: boolean,
  ): Met<CqVariables, CqInputs> {
    const event = { index: 0, at: 0, raised };
    return { inputs: { cq: queue.cq, completions, event }, variables: queue };
  }

  /** It gave a completion. */
  gave(queue: CompletionQueue, { event: index, t: at }: When): void {
    const { machine } = this.#rules;
    const { from, to } = this.#row;
    this.#row = { from: index === to + 1 ? from : index, to: index };
    // a work request may have been posted, or a packet have come, since those before were taken
    if (queue.newest < this.#row.from) queue.togetherAt = -1;
    queue.newest = index;
    machine.step('gave')({ sight: this.#sight, event: { index, at, raised: false } }, queue);
    if (!machine.flag('spilled')({ cq: queue.cq }, queue)) return;
    const { together } = queue;
    const observed = `${together} completions in a CQ of ${queue.cq.entries} entries`;
    this.#overflowed(queue, together, { event: index, t: at }, observed);
  }

  /** Completions that are due did not come: whether the CQ overflowed and no event said so. */
  lost(queue: CompletionQueue, when: When, observed: string): boolean {
    if (queue.inError || !this.#rules.machine.flag('full')({ cq: queue.cq }, queue)) return false;
    // what overflowed is full all the same
    if (!queue.overflowed) this.#overflowed(queue, queue.taken + 1, when, observed);
    return true;
  }

  #overflowed(queue: CompletionQueue, due: number, when: When, observed: string): void {
    this.#rules.machine.step('overflows')({}, queue);
    const spot = { ...when, qp: `cq ${queue.cq.handle}` };
    for (const rule of this.#book.broken(
      'cq-error',
      'mustRaise',
      this.#met(queue, { due, possible: due, held: 0 }, false),
    ))
      this.#book.violate(rule, spot, cqError, observed);
  }

  /** ibv_resize_cq returned; `held`: completions that were surely in the CQ. */
  resized(queue: CompletionQueue, { asked, given, errno }: Resizing, held: number, when: When): void {
    const refused = errno !== undefined;
    const met = this.#met(queue, { due: 0, possible: 0, held }, false);
    const inputs = { ...met.inputs, call: { asked, given: given ?? 0, refused } };
    const spot = { ...when, qp: `cq ${queue.cq.handle}` };
    for (const rule of this.#book.broken('cq-resize', 'mustFit', { ...met, inputs }))
      this.#book.violate(
        rule,
        spot,
        `an error, or room for ${Math.max(asked, held)}`,
        `room for ${given ?? 0}${held > 0 ? `, and ${held} completions in the CQ` : ''}`,
      );
  }

  /** Everything is at rest: one in error has not raised its event again. */
  rested(queue: CompletionQueue): void {
    if (queue.inError)
      this.#book.decide('cq-error', this.#met(queue, { due: 0, possible: 0, held: 0 }, false));
    this.#rules.machine.step('rested')({}, queue);
  }

  /** IBV_EVENT_CQ_ERR came. */
  failed(
    queue: CompletionQueue,
    completions: Omit<CqInputs['completions'], 'held'>,
    { event: index, t: at }: When,
  ): void {
    const spot = { event: index, t: at, qp: `cq ${queue.cq.handle}` };
    for (const rule of this.#book.broken(
      'cq-error',
      'mustRaise',
      this.#met(queue, { ...completions, held: 0 }, true),
    ))
      this.#book.violate(rule, spot, `no second ${cqError}`, cqError);
    this.#rules.machine.step('failed')({ event: { index, at, raised: true } }, queue);
  }

  /** A work request that was posted at this place of the trace is on its way to a CQ that has failed, or its completion came (`observed`). */
  late(queue: CompletionQueue, index: number, at: Spot, observed?: string): void {
    if (!queue.inError) return;
    const inputs = { work: { index, completed: observed !== undefined } };
    for (const rule of this.#book.broken('cq-lost', 'mustTake', { inputs, variables: queue }))
      this.#book.violate(rule, at, `no completion after ${cqError}`, observed ?? '');
  }
}
