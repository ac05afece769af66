import { eventType } from '../../spec/constants.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';
import type { Qp } from '../device/qp.ts';
import type { KnownQp } from './objects.ts';
import type { WorkList } from './outstanding.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import type { When } from '../spot.ts';
import type { VerbsContext } from './context.ts';
import { fail } from './completions.ts';
import type { PortJudge } from './port.ts';
import type { SrqJudge } from './srq.ts';

/** Whether requests of a QP are unanswered, as far as the packets tell; `undefined`: they do not. */
export type UnderWay = (qp: Qp) => boolean | undefined;

/** Judges asynchronous events: what they may be, what they name, whether something calls for them. */
export class VerbsEventJudge {
  readonly #context: VerbsContext;
  readonly #srqs: SrqJudge;
  readonly #ports: PortJudge;
  readonly #underWay: UnderWay;

  constructor(context: VerbsContext, srqs: SrqJudge, ports: PortJudge, underWay: UnderWay) {
    this.#context = context;
    this.#srqs = srqs;
    this.#ports = ports;
    this.#underWay = underWay;
  }

  see(what: AsyncEvent, when: When): void {
    const qp = what.qp_num === undefined ? undefined : this.#context.byNumber(what.qp_num);
    // a device tells of all objects of its context, those of other traces too
    if (this.#foreign(what, qp))
      return this.#context.book.skip('events of objects that the trace does not know');
    this.#row(what, qp, when);
    switch (what.event_type) {
      case 'IBV_EVENT_SRQ_LIMIT_REACHED':
        return this.#srqs.limitReached(what.srq, when);
      case 'IBV_EVENT_PORT_ACTIVE':
      case 'IBV_EVENT_PORT_ERR':
        return this.#ports.raised(what.event_type, when);
      case 'IBV_EVENT_CQ_ERR':
        return this.#cqError(what.cq, when);
      default:
        if (qp !== undefined) this.#ofQp(what.event_type, qp, when);
    }
  }

  #foreign({ qp_num: number, cq, srq }: AsyncEvent, qp: KnownQp | undefined): boolean {
    const { qps, objects } = this.#context;
    return (
      (number !== undefined && qps.size > 0 && qp === undefined) ||
      (cq !== undefined && isAny(objects.cqs()) && objects.cq(cq) === undefined) ||
      (srq !== undefined && isAny(objects.srqs()) && objects.srq(srq) === undefined)
    );
  }

  #row(what: AsyncEvent, qp: KnownQp | undefined, when: When): void {
    const known = Object.hasOwn(eventType.numbers, what.event_type);
    const facts = {
      asyncEvent: known ? what.event_type : 'other',
      eventService: qp?.service ?? 'none',
    };
    this.#context.book.exercise(this.#keptFrom(facts.eventService));
    for (const rule of this.#context.book.decide('event', facts)) {
      const outcome = rule.outcomes[0] ?? {};
      const spot = { ...when, qp: qp?.name ?? 'device' };
      const of = qp === undefined ? '' : ` of a ${qp.service} QP`;
      if (outcomeWord(outcome, 'admissible') === 'forbidden') {
        this.#context.book.violate(rule, spot, 'an event that may come here', `${what.event_type}${of}`);
        continue;
      }
      const wanted = outcomeWord(outcome, 'mustAffiliate') ?? 'any';
      if (!names(what, wanted))
        this.#context.book.violate(rule, spot, `${what.event_type} that names ${wanted}`, named(what));
    }
  }

  /** An event came, and none of those that must not come. */
  #keptFrom(eventService: string): Rule[] {
    const types = [...Object.keys(eventType.numbers), 'other'];
    return types.flatMap((asyncEvent) =>
      this.#context.book.saying('event', { asyncEvent, eventService }, 'admissible', 'forbidden'),
    );
  }

  #ofQp(type: AsyncEvent['event_type'], qp: KnownQp, when: When): void {
    switch (type) {
      case 'IBV_EVENT_SQ_DRAINED': {
        this.#raise('drained', { drainCause: this.#drainCause(qp), ofService: qp.service }, type, qp, when);
        if (qp.drain === 'asked') qp.drain = 'told';
        return;
      }
      case 'IBV_EVENT_QP_LAST_WQE_REACHED': {
        // the failure that it follows may be told of later
        if (qp.srq !== undefined && qp.state !== 'ERR') {
          qp.earlyLastWqe ??= when;
          return;
        }
        this.#raise('last-wqe', { lastWqeCause: lastWqeCause(qp) }, type, qp, when);
        qp.lastWqe = 'told';
        return;
      }
      case 'IBV_EVENT_COMM_EST': {
        const facts = { datagramEstablished: this.#establishedCause(qp), ofService: qp.service };
        this.#raise('established', facts, type, qp, when);
        qp.established = true;
        return;
      }
      case 'IBV_EVENT_QP_FATAL': {
        const facts = { fatalCause: qp.fatal === 'none' ? 'other' : 'cq-error' };
        this.#raise('qp-fatal', facts, type, qp, when);
        qp.fatal = 'told';
        qp.happens('fatal-event', when.event);
        if (qp.state !== 'ERR') fail(qp, when.event);
        return;
      }
      case 'IBV_EVENT_QP_REQ_ERR':
      case 'IBV_EVENT_QP_ACCESS_ERR':
        if (qp.service === 'RC' && qp.state !== 'ERR') fail(qp, when.event);
        return;
      default:
        return;
    }
  }

  #raise(
    table: 'drained' | 'last-wqe' | 'established' | 'qp-fatal',
    facts: Readonly<Record<string, string>>,
    type: string,
    qp: KnownQp,
    when: When,
  ): void {
    const judged = this.#context.book.ruling(table, facts, 'mustRaise');
    if (judged?.word === 'never')
      this.#context.book.violate(
        judged.rule,
        { ...when, qp: qp.name },
        `no ${type}`,
        `${type} in ${qp.state}`,
      );
    else if (judged?.word === 'may') this.#context.book.choice(judged.rule, 'raised');
  }

  #drainCause(qp: KnownQp): string {
    if (qp.drain === 'not-asked') return 'not-asked';
    if (qp.drain === 'told') return 'again';
    const underWay = this.#underWay(qp.qp);
    if (underWay !== undefined) return underWay ? 'under-way' : 'drained';
    return qp.sends.all().some((work) => work.becomes !== 'held') ? 'open' : 'drained';
  }

  #establishedCause(qp: KnownQp): string {
    if (qp.established) return 'again';
    return this.#context.atDevice && !qp.everArrived ? 'early' : 'open';
  }

  #cqError(handle: number | undefined, when: When): void {
    const cq = handle === undefined ? undefined : this.#context.cq(handle);
    if (cq === undefined) return;
    const qps = this.#context.on(cq.cq);
    const due = (list: WorkList, all: boolean): number =>
      all ? list.length : list.all().filter((work) => work.doomed && (work.signaled || work.lost)).length;
    const fill = (all: boolean): number =>
      qps.reduce(
        (sum, qp) =>
          sum +
          (qp.sendCq === cq ? due(qp.sends, all) : 0) +
          (qp.receiveCq === cq ? due(qp.receives, all) : 0) +
          (all ? (qp.srq?.posted.length ?? 0) : 0),
        0,
      );
    const { entries } = cq.cq;
    const cqFill = fill(false) > entries ? 'overflowed' : fill(true) > entries ? 'possible' : 'inside';
    this.#context.book.ruling('cq-error', { cqFill }, 'mustRaise');
    cq.lostAt ??= when.event;
    for (const qp of qps) {
      if (qp.fatal === 'none') qp.fatal = 'due';
      if (qp.state !== 'ERR') fail(qp, when.event);
    }
  }

  /** What is owed when everything has had its time. */
  settle(t: number): void {
    for (const qp of this.#context.qps.values()) {
      if (qp.blind) continue;
      this.#lastWqeOwed(qp, t);
      this.#owed('drained', { drainCause: this.#drainCause(qp), ofService: qp.service }, qp, t, {
        type: 'IBV_EVENT_SQ_DRAINED',
        told: qp.drain === 'told' || qp.state !== 'SQD',
        event: qp.stateAt,
      });
      if (qp.state === 'RTR' || qp.receivedInRtr) {
        const cause = qp.receivedInRtr ? 'received' : this.#establishedCause(qp);
        this.#owed('established', { datagramEstablished: cause, ofService: qp.service }, qp, t, {
          type: 'IBV_EVENT_COMM_EST',
          told: qp.established,
          event: qp.stateAt,
        });
        if (qp.receivedInRtr) qp.established = true;
        qp.receivedInRtr = false;
      }
      if (qp.fatal !== 'due') continue;
      const event = qp.sendCq.lostAt ?? qp.receiveCq.lostAt ?? 0;
      this.#owed('qp-fatal', { fatalCause: 'cq-error' }, qp, t, {
        type: 'IBV_EVENT_QP_FATAL',
        told: false,
        event,
      });
      qp.fatal = 'told';
    }
  }

  #lastWqeOwed(qp: KnownQp, t: number): void {
    const early = qp.earlyLastWqe;
    qp.earlyLastWqe = undefined;
    if (early !== undefined) {
      this.#raise('last-wqe', { lastWqeCause: lastWqeCause(qp) }, 'IBV_EVENT_QP_LAST_WQE_REACHED', qp, early);
      if (qp.state === 'ERR') qp.lastWqe = 'told';
    }
    this.#owed('last-wqe', { lastWqeCause: lastWqeCause(qp) }, qp, t, {
      type: 'IBV_EVENT_QP_LAST_WQE_REACHED',
      told: qp.lastWqe === 'told',
      event: qp.stateAt,
    });
    if (qp.lastWqe === 'due') qp.lastWqe = 'told';
  }

  #owed(
    table: 'drained' | 'last-wqe' | 'established' | 'qp-fatal',
    facts: Readonly<Record<string, string>>,
    qp: KnownQp,
    t: number,
    { type, told, event }: { type: string; told: boolean; event: number },
  ): void {
    const judged = this.#context.book.ruling(table, facts, 'mustRaise');
    if (judged?.word === 'due' && !told)
      this.#context.book.violate(judged.rule, { event, t, qp: qp.name }, type, 'no event');
  }
}

function isAny(objects: Iterator<unknown>): boolean {
  return objects.next().done !== true;
}

function lastWqeCause(qp: KnownQp): string {
  if (qp.srq === undefined) return 'own-queue';
  if (qp.state !== 'ERR') return qp.unsure ? 'open' : 'working';
  if (qp.lastWqe === 'told') return 'again';
  if (qp.cqLost || qp.fatal !== 'none') return 'catastrophic';
  if (qp.received === 0) return 'never-received';
  return qp.srq.posted.length === 0 ? 'srq-empty' : 'last-completed';
}

function names(what: AsyncEvent, wanted: string): boolean {
  const { qp_num, cq, srq, port_num } = what;
  const given = { qp: qp_num, cq, srq, port: port_num };
  switch (wanted) {
    case 'qp':
    case 'cq':
    case 'srq':
    case 'port':
      return Object.entries(given).every(([key, value]) => (key === wanted) === (value !== undefined));
    case 'nothing':
      return qp_num === undefined && cq === undefined && srq === undefined;
    default:
      return true;
  }
}

function named({ event_type, qp_num, cq, srq, port_num }: AsyncEvent): string {
  const parts = Object.entries({ qp_num, cq, srq, port_num })
    .filter(([, value]) => value !== undefined)
    .map(([key]) => key);
  return `${event_type} that names ${parts.join(' and ') || 'nothing'}`;
}
