import type { AsyncEvent, DeviceAttr, PortAttr, QpAttr, RecvWr, SrqAttr } from '../../spec/verbs.ts';
import type { QpChange, RefusedPost, SrqChange } from '../device/listener.ts';
import type { Region } from '../device/memory.ts';
import type { Objects } from '../device/objects.ts';
import type { Observer } from '../device/observer.ts';
import type { PostedSend } from '../device/posted-send.ts';
import type { Qp, Srq } from '../device/qp.ts';
import { PortJudge } from '../port/judge.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import { SrqJudge } from '../srq/judge.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { VerbsCompletionJudge } from './completions.ts';
import { VerbsContext } from './context.ts';
import { EarlyEvents } from './early-events.ts';
import { AsyncEventJudge, QpEventJudge } from './events.ts';
import { judgeGuard } from './guard.ts';
import type { VerbsRules } from './machine.ts';
import type { UnderWay } from './objects.ts';
import { PostingJudge } from './posting.ts';
import { VerbsRest } from './rest.ts';
import { VerbsStateJudge } from './states.ts';

/**
 * Judges what software sees of a device through its verbs, whatever the service and whether packets are seen or not: posting,
 * completions, flushes, states, asynchronous events, SRQs, CQs, the port, and the bytes beside memory regions.
 */
export class VerbsJudge implements Observer {
  readonly #context: VerbsContext;
  readonly #posting: PostingJudge;
  readonly #completions: VerbsCompletionJudge;
  readonly #srqs: SrqJudge;
  readonly #port: PortJudge;
  readonly #asyncEvents: AsyncEventJudge;
  readonly #qpEvents: QpEventJudge;
  readonly #states: VerbsStateJudge;
  readonly #rest: VerbsRest;
  readonly #early: EarlyEvents;

  constructor(rules: VerbsRules, ledger: Ledger, header: TraceHeader, objects: Objects, underWay: UnderWay) {
    const { capabilities } = objects;
    const context = new VerbsContext(rules, ledger, header, objects, underWay);
    this.#context = context;
    this.#srqs = new SrqJudge(rules.srq, ledger, capabilities);
    this.#port = new PortJudge(rules.port, ledger, { capabilities, alone: header.clock === 'virtual' });
    this.#posting = new PostingJudge(context, this.#srqs);
    this.#completions = new VerbsCompletionJudge(context);
    this.#asyncEvents = new AsyncEventJudge(context);
    this.#qpEvents = new QpEventJudge(context);
    this.#states = new VerbsStateJudge(context);
    this.#rest = new VerbsRest(context);
    this.#early = new EarlyEvents((what, when) => {
      this.#async(what, when);
    });
  }

  see(event: TraceEvent, index: number): 'shared' {
    const when = { event: index, t: event.t };
    if (event.kind === 'packet') {
      this.#context.sight.traffic = true;
      if (event.direction !== 'from-dut')
        this.#context.byNumber(event.packet.destQp)?.step('packetArrived', when);
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
  }

  #take(event: Exclude<TraceEvent, { kind: 'packet' }>, when: When): void {
    switch (event.kind) {
      case 'completion': {
        const srq = this.#context.byNumber(event.wc.qp_num)?.srq;
        this.#completions.see(this.#context.cq(event.cq), event.wc, when);
        if (srq !== undefined) this.#srqs.completed(srq, when.event);
        return;
      }
      case 'async':
        return this.#early.add(event.event, when);
      case 'link':
        if (this.#port.link(event.up, when) && !event.up) this.#everyQp('linkLost', when);
        return this.#early.after();
      case 'memory':
        return judgeGuard(this.#context, event, when);
      case 'settled':
        return this.#settle(event.t);
      case 'gap':
        return this.#everyQp('sightLost', when);
      case 'call':
      case 'call-failed':
      case 'frame':
      case 'stall':
      case 'rate':
      case 'hop':
      case 'gone':
        return;
    }
  }

  #everyQp(step: 'linkLost' | 'sightLost', when: When): void {
    for (const qp of this.#context.qps.values()) qp.step(step, when);
  }

  #async(what: AsyncEvent, when: When): void {
    const { event_type: type, qp_num: number, srq } = what;
    const qp = number === undefined ? undefined : this.#context.byNumber(number);
    if (!this.#asyncEvents.see(what, qp, when)) return;
    switch (type) {
      case 'IBV_EVENT_SRQ_LIMIT_REACHED': {
        const queue = srq === undefined ? undefined : this.#context.srq(srq);
        return queue && this.#srqs.limitReached(queue, when);
      }
      case 'IBV_EVENT_PORT_ACTIVE':
      case 'IBV_EVENT_PORT_ERR':
        return this.#port.raised(type, when);
      case 'IBV_EVENT_CQ_ERR':
        return this.#qpEvents.cqError(what.cq, when);
      default:
        return qp && this.#qpEvents.see(type, qp, when);
    }
  }

  #settle(t: number): void {
    this.#rest.settle(t);
    this.#qpEvents.settle(t);
    for (const srq of this.#context.objects.srqs()) this.#srqs.settle(this.#context.ofSrq(srq), t);
    this.#port.settle(t);
    this.#rest.done(t);
  }

  created(qp: Qp): void {
    this.#context.add(qp);
  }

  destroyed(qp: Qp): void {
    this.#context.remove(qp);
  }

  modified(qp: Qp, { attr }: QpChange, when: When): void {
    this.#states.modify(this.#context.of(qp), attr, when, undefined);
  }

  modifyRefused(qp: Qp, attr: QpAttr, errno: number, when: When): void {
    this.#states.modify(this.#context.of(qp), attr, when, errno);
  }

  queried(qp: Qp, attr: QpAttr, when: When): void {
    this.#states.query(this.#context.of(qp), attr, when);
  }

  sendPosted(qp: Qp, { wr }: PostedSend, when: When): void {
    this.#posting.send(this.#context.of(qp), wr, when, undefined);
  }

  receivePosted(qp: Qp, wr: RecvWr, when: When): void {
    this.#posting.receive(this.#context.of(qp), wr, when, undefined);
  }

  sharedPosted(srq: Srq, wr: RecvWr, when: When): void {
    this.#posting.shared(this.#context.ofSrq(srq), wr, when, undefined);
  }

  postRefused(post: RefusedPost, errno: number, when: When): void {
    switch (post.queue) {
      case 'send':
        return this.#posting.send(this.#context.of(post.qp), post.wr, when, errno);
      case 'receive':
        return this.#posting.receive(this.#context.of(post.qp), post.wr, when, errno);
      case 'shared':
        return this.#posting.shared(this.#context.ofSrq(post.srq), post.wr, when, errno);
    }
  }

  srqModified(srq: Srq, attr: SrqChange, when: When): void {
    this.#srqs.modify(this.#context.ofSrq(srq), attr, when, undefined);
  }

  srqRefused(srq: Srq, attr: SrqChange, errno: number, when: When): void {
    this.#srqs.modify(this.#context.ofSrq(srq), attr, when, errno);
  }

  srqQueried(srq: Srq, attr: SrqAttr, when: When): void {
    this.#srqs.query(this.#context.ofSrq(srq), attr, when);
  }

  portQueried(attr: PortAttr, when: When): void {
    this.#port.query(attr, when);
  }

  deviceQueried(attr: DeviceAttr, when: When): void {
    this.#srqs.device(attr.srq_resize);
    this.#port.device(attr, when);
  }

  deregistered({ mr }: Region): void {
    this.#rest.deregistered(mr);
  }
}
