import type { DeviceAttr, PortAttr, QpAttr, RecvWr, SrqAttr } from '../../spec/verbs.ts';
import type { QpChange, RefusedPost, SrqChange } from '../device/listener.ts';
import type { Region } from '../device/memory.ts';
import type { Objects } from '../device/objects.ts';
import type { Observer } from '../device/observer.ts';
import type { PostedSend } from '../device/posted-send.ts';
import { serviceOf, type Qp, type Srq } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { VerbsCompletionJudge } from './completions.ts';
import { VerbsContext, type VerbsTables } from './context.ts';
import { EarlyEvents } from './early-events.ts';
import { VerbsEventJudge, type UnderWay } from './events.ts';
import { judgeGuard } from './guard.ts';
import { PortJudge } from './port.ts';
import { PostingJudge } from './posting.ts';
import { VerbsRest } from './settled.ts';
import { SrqJudge } from './srq.ts';
import { VerbsStateJudge } from './states.ts';

/**
 * Judges what software sees of a device through its verbs, whatever the service and whether packets are seen or not: posting,
 * completions, flushes, states, asynchronous events, SRQs, CQs, the port, and the bytes beside memory regions.
 */
export class VerbsJudge implements Observer {
  readonly #context: VerbsContext;
  readonly #gone = new Set<number>();
  readonly #posting: PostingJudge;
  readonly #completions: VerbsCompletionJudge;
  readonly #srqs: SrqJudge;
  readonly #ports: PortJudge;
  readonly #events: VerbsEventJudge;
  readonly #states: VerbsStateJudge;
  readonly #rest: VerbsRest;
  readonly #early: EarlyEvents;
  #traffic = false;

  constructor(
    tables: VerbsTables,
    ledger: Ledger,
    header: TraceHeader,
    objects: Objects,
    underWay: UnderWay,
  ) {
    const context = new VerbsContext(tables, ledger, header, objects);
    this.#context = context;
    this.#posting = new PostingJudge(context);
    this.#completions = new VerbsCompletionJudge(context, this.#gone);
    this.#srqs = new SrqJudge(context);
    this.#ports = new PortJudge(context);
    this.#events = new VerbsEventJudge(context, this.#srqs, this.#ports, underWay);
    this.#states = new VerbsStateJudge(context, () => this.#traffic);
    this.#rest = new VerbsRest(context, this.#completions);
    this.#early = new EarlyEvents((what, when) => {
      this.#events.see(what, when);
    });
  }

  see(event: TraceEvent, index: number): 'shared' {
    if (event.kind === 'packet') this.#packet(event, index);
    else {
      this.#early.before(event);
      this.#take(event, { event: index, t: event.t });
    }
    return 'shared';
  }

  heard(): void {
    this.#early.after();
  }

  finish(): void {
    this.#early.all();
  }

  #packet(event: Extract<TraceEvent, { kind: 'packet' }>, index: number): void {
    this.#traffic = true;
    if (event.direction === 'from-dut') return;
    const qp = this.#context.byNumber(event.packet.destQp);
    if (qp === undefined) return;
    qp.arrived++;
    qp.everArrived = true;
    qp.newestArrival = index;
  }

  #take(event: Exclude<TraceEvent, { kind: 'packet' }>, when: When): void {
    switch (event.kind) {
      case 'completion': {
        const srqOf = this.#context.byNumber(event.wc.qp_num)?.srq;
        this.#completions.see(this.#context.cq(event.cq), event.wc, when);
        if (srqOf !== undefined) this.#srqs.taken(srqOf, when.event);
        return;
      }
      case 'async':
        return this.#early.add(event.event, when);
      case 'link':
        this.#ports.link(event.up, when);
        return this.#early.after();
      case 'memory':
        return judgeGuard(this.#context, event, when);
      case 'settled':
        return this.#settle(event.t);
      case 'gap':
        for (const qp of this.#context.qps.values()) qp.blind = true;
        return;
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

  #settle(t: number): void {
    this.#rest.settle(t);
    this.#events.settle(t);
    this.#srqs.settle(t);
    this.#ports.settle(t);
    this.#rest.done();
    this.#traffic = false;
  }

  created(qp: Qp): void {
    if (serviceOf(qp) === undefined) return void this.#gone.add(qp.qpNumber);
    this.#context.add(qp);
    this.#gone.delete(qp.qpNumber);
  }

  destroyed(qp: Qp): void {
    if (this.#context.qps.delete(qp)) this.#gone.add(qp.qpNumber);
  }

  modified(qp: Qp, { attr }: QpChange, when: When): void {
    if (attr.qp_state === 'IBV_QPS_RTS') this.#traffic = true;
    this.#states.modify(this.#context.of(qp), attr, when, undefined);
  }

  modifyRefused(qp: Qp, attr: QpAttr, errno: number, when: When): void {
    if (attr.qp_state === 'IBV_QPS_RTS') this.#traffic = true;
    this.#states.modify(this.#context.of(qp), attr, when, errno);
  }

  queried(qp: Qp, attr: QpAttr, when: When): void {
    this.#states.query(this.#context.of(qp), attr, when);
  }

  sendPosted(qp: Qp, { wr }: PostedSend, when: When): void {
    this.#traffic = true;
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
        this.#traffic = true;
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
    this.#ports.query(attr, when);
  }

  deviceQueried(attr: DeviceAttr, when: When): void {
    this.#srqs.device(attr.srq_resize);
    this.#ports.device(attr, when);
  }

  deregistered({ mr }: Region): void {
    this.#rest.deregistered(mr);
  }
}
