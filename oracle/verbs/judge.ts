import type { AsyncEvent } from '../../spec/verbs.ts';
import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import type { ObjectListener } from '../device/listener.ts';
import { observeReply } from '../device/packet/observed-reply.ts';
import type { Objects } from '../device/objects.ts';
import type { Observer } from '../device/observer.ts';
import { DestroyedQpJudge } from '../objects/destroyed.ts';
import { ObjectsJudge } from '../objects/judge.ts';
import { PortJudge } from '../port/judge.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import { SrqJudge } from '../srq/judge.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { VerbsCompletionJudge } from './completions.ts';
import { VerbsContext } from './context.ts';
import { AsyncEventJudge } from './async-event.ts';
import { EarlyEvents } from './early-events.ts';
import { QpEventJudge } from './events.ts';
import { judgeGuard } from './guard.ts';
import { nothingKnown, type Then } from './inputs.ts';
import type { VerbsRules } from './machine.ts';
import type { KnownQp, UnderWay } from './objects.ts';
import { PostingJudge } from './posting.ts';
import { RegistrationJudge } from './registration.ts';
import { ResizeJudge } from './resizing.ts';
import { VerbsRest } from './rest.ts';
import { VerbsStateJudge } from './states.ts';

/**
 * Judges what software sees of a device through its verbs, whatever the service and whether packets are seen or not: posting,
 * completions, flushes, states, asynchronous events, SRQs, CQs, the port, and the bytes beside memory regions.
 */
export class VerbsJudge implements Observer {
  readonly #context: VerbsContext;
  readonly parts: readonly ObjectListener[];
  readonly #completions: VerbsCompletionJudge;
  readonly #srqs: SrqJudge;
  readonly #port: PortJudge;
  readonly #asyncEvents: AsyncEventJudge;
  readonly #qpEvents: QpEventJudge;
  readonly #rest: VerbsRest;
  readonly #early: EarlyEvents;
  readonly #destroyed: DestroyedQpJudge;

  constructor(rules: VerbsRules, ledger: Ledger, header: TraceHeader, objects: Objects, underWay: UnderWay) {
    const { capabilities } = objects;
    const context = new VerbsContext(rules, ledger, header, objects, underWay);
    this.#context = context;
    this.#srqs = new SrqJudge(rules.srq, ledger, capabilities, (srq) => context.ofSrq(srq));
    this.#port = new PortJudge(rules.port, ledger, capabilities, header);
    this.#completions = new VerbsCompletionJudge(context, this.#srqs);
    this.#asyncEvents = new AsyncEventJudge(context);
    this.#qpEvents = new QpEventJudge(context);
    this.#rest = new VerbsRest(context);
    const states = new VerbsStateJudge(context);
    const posting = new PostingJudge(context, this.#srqs);
    const registration = new RegistrationJudge(context);
    const resizing = new ResizeJudge(context);
    this.#destroyed = new DestroyedQpJudge(rules.objects, ledger, context);
    const made = new ObjectsJudge(rules.objects, ledger, capabilities);
    this.parts = [
      context,
      // before the state is another
      this.#qpEvents,
      states,
      posting,
      registration,
      resizing,
      made,
      this.#srqs,
      context.cqEvents,
      this.#port,
      this.#rest,
    ];
    this.#early = new EarlyEvents((what, when, then) => {
      this.#async(what, when, then);
    });
  }

  see(event: TraceEvent, index: number): 'shared' {
    const when = { event: index, t: event.t };
    if (event.kind === 'packet') {
      this.#context.sight.traffic = true;
      const { packet } = event;
      if (event.direction === 'from-dut') {
        this.#port.sent(() => describe(packet), when);
        this.#destroyed.sent(packet, when);
        this.#refused(packet, when);
      }
      const qp = event.direction === 'from-dut' ? undefined : this.#context.byNumber(packet.destQp);
      if (qp === undefined) {
        if (event.direction === 'to-dut') this.#destroyed.arrived(packet);
        return 'shared';
      }
      qp.step('packetArrived', when);
      if (mayBegin(qp, packet)) qp.step('messageBegan', when);
      this.#context.cqEvents.arrived(qp.qp, packet);
    } else {
      this.#early.before(event);
      this.#take(event, when);
    }
    return 'shared';
  }

  heard(): void {
    this.#early.after();
  }

  finish(): void {
    this.#early.all();
    this.#qpEvents.finish();
  }

  /** A QP that refuses a request for good has failed, whatever its software gets to know of it. */
  #refused(packet: Packet, when: When): void {
    if (packet.aeth === undefined || observeReply(packet)?.kind !== 'fatal-nak') return;
    for (const qp of this.#context.qps.values())
      if (qp.qp.peerQpNumber === packet.destQp) {
        qp.leftover.caused = true;
        qp.step('refused', when);
      }
  }

  #take(event: Exclude<TraceEvent, { kind: 'packet' }>, when: When): void {
    switch (event.kind) {
      case 'completion': {
        const { taken = event.t } = event;
        const srq = this.#context.byNumber(event.wc.qp_num)?.srq;
        this.#destroyed.completed(event.wc, when);
        this.#completions.see(this.#context.cq(event.cq), event.wc, { ...when, taken });
        if (srq !== undefined) this.#srqs.completed(srq, when.event);
        return;
      }
      case 'async':
        if (event.polled !== undefined) this.#polled(event.event, { ...when, t: event.polled });
        return this.#early.add(event.event, when, this.#then(event.event, when));
      case 'cq-event': {
        const cq = this.#context.cq(event.cq);
        return cq && this.#context.cqEvents.notified(cq.cq, when);
      }
      case 'link':
        if (this.#port.link(event.up, when) && !event.up) this.#everyQp('linkLost', when);
        return this.#early.after();
      case 'gid':
        this.#port.gid(event, when);
        return this.#early.after();
      case 'memory':
        return judgeGuard(this.#context, event, when);
      case 'settled':
        this.#destroyed.rested(event.t);
        return this.#settle(event.t);
      case 'gap':
        this.#context.cqEvents.sightLost();
        return this.#everyQp('sightLost', when);
      case 'stall':
        return this.#context.stalls.add(event.t, event.until);
      case 'call':
      case 'call-failed':
      case 'frame':
      case 'rate':
      case 'hop':
      case 'gone':
      // judged in front, by user context
      case 'second-context':
        return;
    }
  }

  #everyQp(step: 'linkLost' | 'sightLost', when: When): void {
    for (const qp of this.#context.qps.values()) qp.step(step, when);
  }

  /** Software has taken all completions that were there when an event came. */
  #polled({ event_type: type, qp_num: number }: AsyncEvent, when: When): void {
    const qp = number === undefined ? undefined : this.#context.byNumber(number);
    if (qp !== undefined) this.#qpEvents.polled(type, qp, when);
  }

  /** What packets have shown of the QP of an event; nothing in a stall, where what was seen later may have happened earlier. */
  #then({ qp_num: number }: AsyncEvent, { t }: When): Then {
    const qp = number === undefined ? undefined : this.#context.byNumber(number);
    const { stalls } = this.#context;
    if (qp === undefined || stalls.earliest(t) < t || stalls.between(t, t + 1) > 0) return nothingKnown;
    return { unanswered: qp.inputs.unanswered === true, unreached: !qp.everArrived };
  }

  #async(what: AsyncEvent, when: When, then: Then): void {
    const { event_type: type, qp_num: number, srq } = what;
    const qp = number === undefined ? undefined : this.#context.byNumber(number);
    if (!this.#asyncEvents.see(what, qp, when)) return;
    switch (type) {
      case 'IBV_EVENT_SRQ_LIMIT_REACHED': {
        const queue = srq === undefined ? undefined : this.#context.srq(srq);
        return queue && this.#srqs.limitReached(queue, when);
      }
      case 'IBV_EVENT_SRQ_ERR': {
        const queue = srq === undefined ? undefined : this.#context.srq(srq);
        if (queue === undefined) return;
        this.#srqs.failed(queue, when);
        return this.#qpEvents.srqError(queue, when);
      }
      case 'IBV_EVENT_PORT_ACTIVE':
      case 'IBV_EVENT_PORT_ERR':
        return this.#port.raised(what, when);
      case 'IBV_EVENT_GID_CHANGE':
        return this.#port.gidsChanged(when);
      case 'IBV_EVENT_LID_CHANGE':
        return this.#port.managerReported(what, 'lid', when);
      case 'IBV_EVENT_SM_CHANGE':
        return this.#port.managerReported(what, 'manager', when);
      case 'IBV_EVENT_CLIENT_REREGISTER':
        return this.#port.managerReported(what, 'registration', when);
      case 'IBV_EVENT_PKEY_CHANGE':
        return this.#port.managerReported(what, 'pkey', when);
      case 'IBV_EVENT_CQ_ERR':
        return this.#qpEvents.cqError(what.cq, when);
      default:
        return qp && this.#qpEvents.see(type, qp, when, then);
    }
  }

  #settle(t: number): void {
    this.#context.cqEvents.settle(t);
    this.#rest.settle(t);
    this.#qpEvents.settle(t);
    for (const srq of this.#context.objects.srqs()) this.#srqs.settle(this.#context.ofSrq(srq), t);
    this.#port.settle(t);
    this.#rest.done(t);
    for (const srq of this.#context.objects.srqs()) this.#srqs.rested(this.#context.ofSrq(srq));
  }
}

/** Whether a packet may be of a message that is not over with it, and keeps its WQE. */
function mayBegin({ inputs: { ordered } }: KnownQp, { info }: Packet): boolean {
  return !ordered || info === undefined || info.position === 'first' || info.position === 'middle';
}
