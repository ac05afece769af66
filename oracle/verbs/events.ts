import type { EventType, QpAttr } from '../../spec/verbs.ts';
import type { ObjectListener, QpChange } from '../device/listener.ts';
import { stateName } from '../device/qp-state.ts';
import type { Qp } from '../device/qp.ts';
import type { When } from '../spot.ts';
import type { VerbsContext } from './context.ts';
import { eventInputs, restInputs, statusInputs, workInputs, type Then } from './inputs.ts';
import type { KnownQp, KnownSrq } from './objects.ts';
import { owesCompletion } from './outstanding.ts';

type EventTable = 'drained' | 'last-wqe' | 'established' | 'qp-fatal';

/** When an event came, and what packets had shown by then, where that counts. */
type Came = When & { then?: Then };

const lastWqe = 'IBV_EVENT_QP_LAST_WQE_REACHED';

/** Judges the events of QPs by what calls for them: whether they may come, and whether they come. */
export class QpEventJudge implements ObjectListener {
  readonly #context: VerbsContext;
  /** QPs whose last receive completion was taken since everything was last at rest, as an event has said */
  readonly #ended = new Set<KnownQp>();

  constructor(context: VerbsContext) {
    this.#context = context;
  }

  see(type: EventType, qp: KnownQp, when: When, then: Then): void {
    switch (type) {
      case 'IBV_EVENT_SQ_DRAINED':
        if (this.#context.flag('leftDrain', qp)) return;
        this.#came('drained', type, qp, { ...when, then }, type);
        return qp.step('drained', when);
      case lastWqe:
        // the failure that it follows may be reported later
        if (qp.srq !== undefined && qp.qpState !== 'ERR') {
          qp.earlyLastWqe ??= { ...when, eitherLife: this.#context.flag('eitherLife', qp) };
          return;
        }
        this.#came('last-wqe', type, qp, when);
        return qp.step('lastWqeReached', when);
      case 'IBV_EVENT_COMM_EST':
        if (qp.formerEstablished && this.#tooEarlyOrAgain(qp, { ...when, then })) {
          qp.step('formerConnected', when);
          return;
        }
        this.#came('established', type, qp, { ...when, then });
        return qp.step('connected', when);
      case 'IBV_EVENT_QP_FATAL':
        qp.leftover.caused = true;
        this.#came('qp-fatal', type, qp, when);
        return qp.step('fatallyFailed', when);
      case 'IBV_EVENT_QP_REQ_ERR':
      case 'IBV_EVENT_QP_ACCESS_ERR':
        qp.leftover.caused = true;
        if (this.#context.flag('eitherFails', qp))
          this.#context.book.skip('a QP that has failed just before RESET, or just after');
        return qp.step('affiliatedError', when);
      default:
    }
  }

  /** All completions that were there when an event of a QP came have been taken, by `when.t`. */
  polled(type: EventType, qp: KnownQp, when: When): void {
    // it may be of the life that RESET has just ended
    if (type !== lastWqe || this.#context.flag('eitherLife', qp)) return;
    qp.step('lastWqePolled', when);
    this.#ended.add(qp);
  }

  /** Whether IBV_EVENT_COMM_EST cannot be of the life that the QP is in. */
  #tooEarlyOrAgain(qp: KnownQp, when: Came): boolean {
    if (qp.established) return true;
    const inputs = this.#context.event(qp);
    inputs.event = eventInputs(when, { raised: true }, when.then);
    const met = this.#context.met(qp, inputs);
    const { book } = this.#context;
    return book.unmet(book.ask('established', met), 'mustRaise', met).length > 0;
  }

  /** `detail`: what is said of an event whose state is not what matters: it may have been raised while a call changed that */
  #came(
    table: EventTable,
    type: EventType,
    qp: KnownQp,
    { then, ...when }: Came,
    detail = `${type} in ${qp.qpState}`,
  ): void {
    const inputs = this.#context.event(qp);
    inputs.event = eventInputs(when, { raised: true }, then);
    const met = this.#context.met(qp, inputs);
    const spot = { ...when, qp: qp.name };
    this.#context.book.came(table, met, spot, `no ${type}`, detail);
  }

  /** IBV_EVENT_CQ_ERR was raised for a CQ. */
  cqError(handle: number | undefined, when: When): void {
    const cq = handle === undefined ? undefined : this.#context.cq(handle);
    if (cq === undefined) return;
    const qps = this.#context.on(cq.cq);
    const lists = qps.flatMap((qp) => [
      ...(qp.sendCq === cq ? [qp.sends] : []),
      ...(qp.receiveCq === cq ? [qp.receives] : []),
    ]);
    const due = lists.flatMap((list) => list.all().filter(owesCompletion)).length;
    const shared = qps.reduce((sum, { srq }) => sum + (srq?.posted.length ?? 0), 0);
    const possible = lists.reduce((sum, { length }) => sum + length, shared);
    const again = cq.inError;
    this.#context.completionQueues.failed(cq, { due, possible }, when);
    if (again) return;
    for (const qp of qps) qp.step('cqFailed', when);
    this.#spared(qps, when);
  }

  /** IBV_EVENT_SRQ_ERR was raised for an SRQ. */
  srqError(srq: KnownSrq, when: When): void {
    const qps = this.#context.on(srq.srq);
    for (const qp of qps) qp.step('srqFailed', when);
    this.#spared(qps, when);
  }

  /** What has failed is a queue of these QPs, and of no other. */
  #spared(qps: readonly KnownQp[], when: When): void {
    for (const qp of this.#context.qps.values()) if (!qps.includes(qp)) qp.step('otherFailed', when);
  }

  /** Which events have not come, though everything has had its time. */
  settle(t: number): void {
    for (const qp of this.#ended) this.#kept(qp, t);
    this.#ended.clear();
    for (const qp of this.#context.qps.values()) {
      if (qp.blind) continue;
      this.#lastWqe(qp, t);
      this.#missed('drained', 'IBV_EVENT_SQ_DRAINED', qp, t, this.#context.flag('drainOver', qp));
      const awaits = this.#context.flag('awaitsMessage', qp);
      if (awaits || this.#context.flag('announcesNoMore', qp))
        this.#missed('established', 'IBV_EVENT_COMM_EST', qp, t, qp.established);
      if (awaits) qp.step('receptionMissed', { event: qp.stateAt, t });
      if (this.#context.flag('fatalOver', qp) || this.#context.flag('spared', qp))
        this.#missed('qp-fatal', 'IBV_EVENT_QP_FATAL', qp, t, false);
      if (qp.fatal !== 'due') continue;
      const failed = [qp.sendCq, qp.receiveCq, qp.srq].find((queue) => queue?.inError);
      const event = Math.max(0, failed?.errorAt ?? 0);
      this.#missed('qp-fatal', 'IBV_EVENT_QP_FATAL', qp, t, false, event);
      qp.step('fatalMissed', { event, t });
    }
  }

  /** What came before everything was at rest cannot be of the state that software asks for now. */
  modified(made: Qp, { to }: QpChange, when: When): void {
    const qp = this.#context.of(made);
    if (qp === undefined) return;
    const { earlyLastWqe: early, unsure } = qp;
    this.#afterRest(qp);
    // it went to ERR before software asked for that, as the event has said
    if (early?.rested === true && unsure && to === 'ERR') qp.step('lastWqeReached', when);
  }

  /** A QP that is in ERR went there with IBV_EVENT_QP_LAST_WQE_REACHED at the latest, though nothing has reported its failure. */
  queried(made: Qp, { qp_state }: QpAttr): void {
    const qp = this.#context.of(made);
    if (qp === undefined || qp.blind || qp.earlyLastWqe === undefined || qp_state === undefined) return;
    if (stateName(qp_state) !== 'ERR') return this.#afterRest(qp);
    qp.step('lastWqeReached', qp.earlyLastWqe);
    qp.earlyLastWqe = undefined;
    this.#context.book.skip('IBV_EVENT_QP_LAST_WQE_REACHED of a QP whose failure nothing has reported');
  }

  /** Everything has been seen. */
  finish(): void {
    for (const qp of this.#context.qps.values()) if (!qp.blind) this.#afterRest(qp);
  }

  /** No receive has completed behind IBV_EVENT_QP_LAST_WQE_REACHED, or has been called broken for it. */
  #kept(qp: KnownQp, t: number): void {
    const { book } = this.#context;
    const met = this.#context.work(
      qp,
      workInputs('shared'),
      statusInputs('IBV_WC_WR_FLUSH_ERR', [], t),
      restInputs(t),
    );
    if (this.#context.flag('receiptsOver', qp, met.inputs))
      book.exercise(book.saying('completion', met, 'admissible', 'forbidden'));
  }

  #afterRest(qp: KnownQp): void {
    if (qp.earlyLastWqe?.rested === true) this.#early(qp);
  }

  #early(qp: KnownQp): void {
    const { earlyLastWqe: early } = qp;
    qp.earlyLastWqe = undefined;
    if (early?.eitherLife === false) this.#came('last-wqe', lastWqe, qp, early);
  }

  #lastWqe(qp: KnownQp, t: number): void {
    const { earlyLastWqe: early } = qp;
    if (qp.qpState === 'ERR' && early !== undefined) {
      this.#early(qp);
      qp.step('lastWqeReached', early);
    } else if (early?.eitherLife === true) qp.earlyLastWqe = undefined;
    else if (early !== undefined) early.rested = true;
    this.#missed('last-wqe', lastWqe, qp, t, qp.lastWqe === 'raised');
    qp.step('lastWqeMissed', { event: qp.stateAt, t });
  }

  #missed(
    table: EventTable,
    type: EventType,
    qp: KnownQp,
    t: number,
    raised: boolean,
    event = qp.stateAt,
  ): void {
    const inputs = this.#context.event(qp);
    inputs.event = { ...restInputs(t, raised), index: event };
    const met = this.#context.met(qp, inputs);
    this.#context.book.missed(table, met, { event, t, qp: qp.name }, type);
  }
}
