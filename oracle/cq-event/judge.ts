import type { Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { ObjectListener, QpChange } from '../device/listener.ts';
import type { Cq, Qp } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import type { When } from '../spot.ts';
import type { CqEventRules, CqEventTable } from './machine.ts';
import { CqEventVariables } from './variables.ts';
import type { CqEventInputs, CqEventStep } from './variables.ts';

/** A CQ with its completion events. `messages`: those that ended since everything was last at rest, by their solicited event bit. */
class NotifyingCq extends CqEventVariables {
  readonly cq: Cq;
  readonly messages = { solicited: 0, others: 0 };
  /** receives that have completed with success since then */
  received = 0;
  /** place in the trace of the last call of ibv_req_notify_cq */
  calledAt = 0;
  /** place of that, or of what says more of why an event is due */
  place = 0;

  constructor({ machine }: CqEventRules, cq: Cq) {
    super();
    this.cq = cq;
    machine.start({}, this);
  }
}

/** What the judge asks of the rest of the verbs. */
export interface Surroundings {
  /** something was begun on the device since everything was last at rest */
  stirred(): boolean;
  /** send work requests of a QP that have not completed */
  outstanding(qp: Qp): number;
  /** the trace holds all packets at the device */
  readonly atDevice: boolean;
  readonly capabilities: ReadonlySet<string> | undefined;
}

const event = 'a completion event';
/** Statuses that the machine tells apart. */
const statuses = ['IBV_WC_SUCCESS', 'IBV_WC_RETRY_EXC_ERR', 'IBV_WC_RNR_RETRY_EXC_ERR'] as const;

/** Judges the completion events of CQs, and what ibv_req_notify_cq asks for. */
export class CqEventJudge implements ObjectListener {
  readonly #rules: CqEventRules;
  readonly #book: MachineBook<CqEventTable, CqEventVariables, CqEventInputs>;
  readonly #surroundings: Surroundings;
  readonly #known = new Map<Cq, NotifyingCq>();
  /** whether it is still to be said that a CQ which nobody asked brings no event */
  #unsaid: boolean;
  /** a queue was changed since everything was last at rest */
  #changed = false;
  /** a timer led to a completion since then */
  #timed = false;
  /** what happened was not seen: nothing can be said any more */
  #blind = false;

  constructor(rules: CqEventRules, ledger: Ledger, surroundings: Surroundings) {
    this.#rules = rules;
    this.#surroundings = surroundings;
    this.#unsaid = surroundings.capabilities?.has('cq-events') === true;
    this.#book = new MachineBook(rules.tables, ledger, { capabilities: surroundings.capabilities });
  }

  notificationAsked(cq: Cq, solicitedOnly: boolean, { event: index }: When): void {
    const known = this.#of(cq);
    const quiet = !this.#stirred && [...cq.qps].every((qp) => this.#surroundings.outstanding(qp) === 0);
    if (!known.asked && !quiet) known.messages.solicited = known.messages.others = 1;
    this.#step('called', known, { call: { solicitedOnly, quiet } });
    known.place = known.calledAt = index;
  }

  modified(qp: Qp, { to }: QpChange): void {
    this.#changed = true;
    if (to === 'RESET') this.#removed(qp);
  }

  destroyed(qp: Qp): void {
    this.#removed(qp);
  }

  receivePosted(): void {
    this.#changed = true;
  }

  sharedPosted(): void {
    this.#changed = true;
  }

  /** A packet came to a QP of the device. */
  arrived(qp: Qp, packet: Packet): void {
    if (this.#known.size === 0) return;
    const known = this.#known.get(qp.receiveCq);
    if (known === undefined || !endsMessage(packet)) return;
    if (packet.solicited) known.messages.solicited++;
    else known.messages.others++;
  }

  /** A completion was taken, of the work request that was posted at place `work` of the trace, if that is known. */
  completed(cq: Cq, wc: Wc, received: boolean, work: number | undefined, when: When): void {
    const known = this.#known.get(cq);
    if (known === undefined) return this.#quiet(cq);
    const solicited = received ? this.#solicited(known) : 'no';
    const later = work !== undefined && work > known.calledAt;
    const status = statuses.find((word) => word === wc.status) ?? 'other';
    const inputs: Partial<CqEventInputs> = { wc: { status, solicited }, work: { later } };
    if (this.#rules.machine.flag('timed')(inputs, known)) this.#timed = true;
    if (this.#timed) return this.#removed(undefined);
    if (received && status === 'IBV_WC_SUCCESS') known.received++;
    const { due } = known;
    this.#step('completed', known, inputs);
    if (known.due !== due) known.place = when.event;
  }

  /** A completion event came. */
  notified(cq: Cq, when: When): void {
    if (this.#blind) return;
    const known = this.#of(cq);
    const broken = this.#book.broken('cq-event', 'mustRaise', this.#met(known, true));
    const observed = known.asked ? 'one more event than ibv_req_notify_cq was called' : event;
    for (const rule of broken) this.#book.violate(rule, spotOf(cq, when), `no completion event`, observed);
    this.#step('notified', known);
    if (broken.length === 0) return;
    // it is unknown what the CQ is armed for now
    this.#known.delete(cq);
  }

  settle(t: number): void {
    for (const known of this.#known.values()) {
      const placed = [...known.cq.qps].some(({ kind }) => kind === 'ORC');
      if (!placed) this.#count(known);
      if (!this.#blind && this.#rules.machine.flag('waited')({}, known)) this.#rest(known, t);
      if (!known.raised && known.left === 0) this.#silent(known);
      this.#step('rested', known);
      // packets that came early may be of a message that ends later
      if (!placed) known.messages.solicited = known.messages.others = 0;
      known.received = 0;
    }
    this.#changed = this.#timed = false;
  }

  /** Where each message has completed, one that is solicited has. */
  #count(known: NotifyingCq): void {
    const { solicited, others } = known.messages;
    const complete = this.#surroundings.atDevice && known.received === solicited + others;
    this.#step('counted', known, { messages: { complete, solicited: solicited > 0 } });
  }

  sightLost(): void {
    this.#blind = true;
  }

  /** Nobody asked this CQ for an event, and none came. */
  #quiet(cq: Cq): void {
    if (!this.#unsaid) return;
    this.#unsaid = false;
    this.#silent(new NotifyingCq(this.#rules, cq));
  }

  #silent(known: NotifyingCq): void {
    this.#book.decide('cq-event', this.#met(known, false));
  }

  get #stirred(): boolean {
    return this.#changed || this.#surroundings.stirred();
  }

  #rest(known: NotifyingCq, t: number): void {
    const at = spotOf(known.cq, { event: known.place, t });
    for (const rule of this.#book.broken('cq-notice', 'mustRaise', this.#met(known, known.raised)))
      this.#book.violate(
        rule,
        at,
        known.raised ? 'no completion event' : event,
        known.raised ? event : 'no event',
      );
  }

  /** Completions that software has not taken may be gone; of all CQs where no QP is named. */
  #removed(qp: Qp | undefined): void {
    for (const known of this.#known.values())
      if (qp === undefined || known.cq.qps.has(qp) || known.cq === qp.sendCq || known.cq === qp.receiveCq)
        this.#step('removed', known);
  }

  #solicited({ messages: { solicited, others } }: NotifyingCq): 'yes' | 'no' | 'open' {
    if (!this.#surroundings.atDevice) return 'open';
    if (solicited === 0) return 'no';
    return others === 0 ? 'yes' : 'open';
  }

  #of(cq: Cq): NotifyingCq {
    let known = this.#known.get(cq);
    if (known === undefined) this.#known.set(cq, (known = new NotifyingCq(this.#rules, cq)));
    return known;
  }

  #met(known: NotifyingCq, raised: boolean): Met<CqEventVariables, CqEventInputs> {
    return { inputs: { event: { raised } }, variables: known };
  }

  #step(step: CqEventStep, known: NotifyingCq, inputs: Partial<CqEventInputs> = {}): void {
    this.#rules.machine.step(step)(inputs, known);
  }
}

function spotOf({ handle }: Cq, when: When): When & { qp: string } {
  return { ...when, qp: `cq ${handle}` };
}

/** Whether it is the last packet of a message that takes a receive work request. */
function endsMessage({ info }: Packet): boolean {
  const operation = info?.operation ?? '';
  const last = /_(?:LAST|ONLY)(?:_|$)/.test(operation);
  return last && (operation.startsWith('SEND') || operation.includes('IMMEDIATE'));
}
