import { CompletionQueue } from '../cq/judge.ts';
import type { Qp, Service, Srq } from '../device/qp.ts';
import type { When } from '../spot.ts';
import { SharedQueue } from '../srq/judge.ts';
import type { SrqRules } from '../srq/machine.ts';
import { Forgotten } from './forgotten.ts';
import { eventInputs, VerbsEvent } from './inputs.ts';
import type { VerbsRules } from './machine.ts';
import { WorkList } from './outstanding.ts';
import { VerbsVariables } from './variables.ts';
import type { VerbsInputs, VerbsStep } from './variables.ts';

/** Whether requests of a QP are unanswered, as far as the packets tell; `undefined`: they do not. */
export type UnderWay = (qp: Qp) => boolean | undefined;

/** WQEs of an SRQ that its QPs may hold, as the machine counts them by two of its values; `undefined` where that may be all. */
export type Holding = (value: 'mayHaveTaken' | 'mayHaveBegun') => number | undefined;

/** An SRQ with its outstanding work requests. */
export class KnownSrq extends SharedQueue {
  readonly posted: WorkList;
  readonly #kept: { count: number | undefined };

  constructor(rules: SrqRules, srq: Srq, holding: Holding) {
    const posted = new WorkList(srq.size);
    const kept: { count: number | undefined } = { count: 0 };
    const held = (value: Parameters<Holding>[0]): number | undefined => {
      const taken = posted.forgetful ? undefined : holding(value);
      return taken === undefined || kept.count === undefined ? undefined : taken + kept.count;
    };
    super(rules, srq, {
      get posted() {
        return posted.length;
      },
      get mayBeTaken() {
        return held('mayHaveTaken');
      },
      get mayBeBegun() {
        return held('mayHaveBegun');
      },
    });
    this.posted = posted;
    this.#kept = kept;
  }

  /** A QP has gone, or was reset, with so many WQEs that may never complete; `undefined`: with any. */
  keep(count: number | undefined): void {
    const { count: before } = this.#kept;
    this.#kept.count = before === undefined || count === undefined ? undefined : before + count;
  }
}

/** What the machine asks of a QP besides its own variables. */
class QpInputs {
  readonly service: Service;
  readonly ordered: boolean;
  readonly shared: boolean;
  readonly maxInline: number;
  readonly #qp: KnownQp;
  readonly #underWay: UnderWay;

  constructor(qp: KnownQp, underWay: UnderWay) {
    this.#qp = qp;
    this.#underWay = underWay;
    this.service = qp.service;
    this.ordered = qp.qp.kind !== 'ORC';
    this.shared = qp.srq !== undefined;
    this.maxInline = qp.qp.most.inline;
  }

  get mayMigrate(): boolean {
    return this.#qp.qp.mayMigrate;
  }

  get cqError(): boolean {
    return this.#qp.sendCq.inError || this.#qp.receiveCq.inError;
  }

  get sends(): number {
    return this.#qp.sends.length;
  }

  get begun(): boolean {
    return this.#qp.sends.all().some(({ becomes }) => becomes !== 'held');
  }

  get unanswered(): boolean | undefined {
    return this.#underWay(this.#qp.qp);
  }

  get uncaused(): number {
    return this.#qp.uncaused.length;
  }

  get srqPosted(): number {
    return this.#qp.srq?.posted.length ?? 0;
  }
}

/** A queue pair as its verbs show it: the variables of the machine, and its queues of outstanding work requests. */
export class KnownQp extends VerbsVariables {
  readonly qp: Qp;
  readonly service: Service;
  readonly sendCq: CompletionQueue;
  readonly receiveCq: CompletionQueue;
  readonly srq: KnownSrq | undefined;
  readonly sends: WorkList;
  readonly receives: WorkList;
  readonly inputs: VerbsInputs['qp'];
  /** flushes whose cause has not been seen yet */
  uncaused: (When & { queue: 'send' | 'receive' | 'shared' })[] = [];
  /** work request ids that were outstanding when the QP was last reset */
  leftover = new Forgotten();
  /** ids of what its own receive queue took while it is on an SRQ */
  readonly unused = new Set<number>();
  /** software has tried to post there, since the newest message */
  triedUnused = false;
  /**
   * IBV_EVENT_QP_LAST_WQE_REACHED came before the failure that it follows was seen.
   * `eitherLife`: it may be of the life that RESET has just ended. `rested`: everything has been at rest since.
   */
  earlyLastWqe: (When & { eitherLife: boolean; rested?: boolean }) | undefined;
  readonly #machine: VerbsRules['machine'];

  constructor(
    { machine }: VerbsRules,
    qp: Qp,
    service: Service,
    { sendCq, receiveCq, srq }: Pick<KnownQp, 'sendCq' | 'receiveCq' | 'srq'>,
    underWay: UnderWay,
  ) {
    super();
    this.#machine = machine;
    this.qp = qp;
    this.service = service;
    this.sendCq = sendCq;
    this.receiveCq = receiveCq;
    this.srq = srq;
    this.sends = new WorkList(qp.most.send);
    this.receives = new WorkList(qp.most.receive);
    this.inputs = new QpInputs(this, underWay);
    machine.start({}, this);
  }

  get name(): string {
    return this.qp.name;
  }

  /** Something happens that no rule decides. Where the QP fails with it, all that is outstanding must complete. */
  step(step: VerbsStep, when: When, inputs = new VerbsEvent()): void {
    const before = this.qpState;
    inputs.qp = this.inputs;
    inputs.event = eventInputs(when);
    this.#machine.step(step)(inputs, this);
    if (this.qpState !== 'ERR' || before === 'ERR') return;
    for (const work of this.sends.all()) work.doomed = true;
    for (const work of this.receives.all()) work.doomed = true;
  }
}
