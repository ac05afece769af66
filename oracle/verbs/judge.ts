import type { AsyncEvent } from '../../spec/verbs.ts';
import { byteText } from '../device/byte-text.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import { KnownVerbsQp, serviceOf, type KnownCq, type KnownSrq } from './objects.ts';
import { WorkList } from './outstanding.ts';
import type { TraceEvent, TraceHeader, VerbsCall } from '../trace.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { VerbsCompletionJudge } from './completions.ts';
import type { When } from '../rulebook/spot.ts';
import { VerbsContext, type VerbsRules } from './context.ts';
import { VerbsEventJudge, type UnderWay } from './events.ts';
import { PortJudge } from './port.ts';
import { PostingJudge } from './posting.ts';
import { VerbsRest } from './settled.ts';
import { SrqJudge } from './srq.ts';
import { VerbsStateJudge } from './states.ts';

/** calls that a device may refuse */
type Asked = Extract<
  VerbsCall,
  { call: 'post_send' | 'post_recv' | 'post_srq_recv' | 'modify_qp' | 'modify_srq' | 'create_ah' }
>;
type CreateQp = Extract<VerbsCall, { call: 'create_qp' }>;

/**
 * Judges what software sees of a device through its verbs, whatever the service and whether packets are seen or not: posting,
 * completions, flushes, states, asynchronous events, SRQs, CQs, the port, and the bytes beside memory regions.
 */
export class VerbsJudge {
  readonly #context: VerbsContext;
  readonly #gone = new Set<number>();
  readonly #posting: PostingJudge;
  readonly #completions: VerbsCompletionJudge;
  readonly #srqs: SrqJudge;
  readonly #ports: PortJudge;
  readonly #events: VerbsEventJudge;
  readonly #states: VerbsStateJudge;
  readonly #rest: VerbsRest;
  /** events that may have come during the call which is noted next */
  #waiting: { what: AsyncEvent; event: number; t: number }[] = [];
  #traffic = false;

  constructor(tables: VerbsRules, ledger: Ledger, header: TraceHeader, underWay: UnderWay) {
    const context = new VerbsContext(tables, ledger, header);
    this.#context = context;
    this.#posting = new PostingJudge(context);
    this.#completions = new VerbsCompletionJudge(context, this.#gone);
    this.#srqs = new SrqJudge(context);
    this.#ports = new PortJudge(context);
    this.#events = new VerbsEventJudge(context, this.#srqs, this.#ports, underWay);
    this.#states = new VerbsStateJudge(context, () => this.#traffic);
    this.#rest = new VerbsRest(context, this.#completions);
  }

  /** Takes every event of the trace in order. */
  see(event: TraceEvent, index: number): void {
    if (event.kind === 'packet') return this.#packet(event, index);
    if (this.#waiting.length > 0) this.#catchUp(event, index);
    else this.#take(event, index);
  }

  finish(): void {
    this.#announce(Number.POSITIVE_INFINITY);
  }

  /** Handles of the QPs that have a CQ as their send or receive CQ. */
  usersOf(cq: number): number[] {
    return [...(this.#context.cqs.get(cq)?.qps ?? [])].map(({ handle }) => handle);
  }

  /** What came while a call was made belongs behind the call, which is noted when it has returned. */
  #catchUp(event: TraceEvent, index: number): void {
    const spans = event.kind === 'call' || event.kind === 'call-failed' || event.kind === 'link';
    if (event.kind === 'async') return this.#take(event, index);
    if (spans) this.#announce(event.start);
    else this.#announce(Number.POSITIVE_INFINITY);
    this.#take(event, index);
    if (spans) this.#announce(Number.POSITIVE_INFINITY);
  }

  /** Takes the events that came before a time. */
  #announce(before: number): void {
    while (this.#waiting[0] !== undefined && this.#waiting[0].t < before) {
      const { what, event, t } = this.#waiting[0];
      this.#waiting.shift();
      this.#events.see(what, { event, t });
    }
  }

  #packet(event: Extract<TraceEvent, { kind: 'packet' }>, index: number): void {
    this.#traffic = true;
    if (event.direction === 'from-dut') return;
    const qp = this.#context.byNumber.get(event.packet.destQp);
    if (qp === undefined) return;
    qp.arrived++;
    qp.everArrived = true;
    qp.newestArrival = index;
  }

  #take(event: TraceEvent, index: number): void {
    const when = { event: index, t: event.kind === 'packet' ? 0 : event.t };
    switch (event.kind) {
      case 'packet':
      case 'frame':
      case 'stall':
      case 'rate':
      case 'hop':
      case 'gone':
        return;
      case 'call':
        return this.#call(event, when, undefined);
      case 'call-failed':
        if (event.attempted !== undefined) this.#call(event.attempted, when, event.errno);
        return;
      case 'completion': {
        const srqOf = this.#context.byNumber.get(event.wc.qp_num)?.srq;
        this.#completions.see(this.#context.cqs.get(event.cq), event.wc, when);
        if (srqOf !== undefined) this.#srqs.taken(srqOf, index);
        return;
      }
      case 'async':
        this.#waiting.push({ what: event.event, ...when });
        return;
      case 'link':
        return this.#ports.link(event.up, when);
      case 'memory':
        return this.#guard(event, when);
      case 'settled':
        return this.#settle(event.t);
      case 'gap':
        for (const qp of this.#context.qps.values()) qp.blind = true;
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

  #call(call: VerbsCall, when: When, errno: number | undefined): void {
    switch (call.call) {
      case 'post_send':
        this.#traffic = true;
        return this.#posting.send(call, when, errno);
      case 'post_recv':
        return this.#posting.receive(call, when, errno);
      case 'post_srq_recv':
        return this.#posting.shared(call, when, errno);
      case 'modify_qp':
        if (call.attr.qp_state === 'IBV_QPS_RTS') this.#traffic = true;
        return this.#states.modify(call, when, errno);
      case 'modify_srq':
        return this.#srqs.modify(call, when, errno);
      case 'create_ah':
        return;
      case 'reg_mr':
      case 'dereg_mr':
      case 'write_memory':
      case 'create_cq':
      case 'create_srq':
      case 'create_qp':
      case 'destroy_qp':
      case 'query_qp':
      case 'query_srq':
      case 'query_port':
      case 'query_device':
        if (errno === undefined) this.#done(call, when);
        return;
    }
  }

  #done(call: Exclude<VerbsCall, Asked>, when: When): void {
    const { regions, byLkey, cqs, srqs, qps, byNumber } = this.#context;
    switch (call.call) {
      case 'reg_mr': {
        const region = { ...call, alive: true };
        regions.set(call.mr, region);
        byLkey.set(call.lkey, region);
        return;
      }
      case 'dereg_mr': {
        const region = regions.get(call.mr);
        if (region !== undefined) region.alive = false;
        this.#rest.deregistered(call.mr);
        return;
      }
      case 'create_cq':
        cqs.set(call.cq, newCq(call.cq, call.cqe));
        return;
      case 'create_srq':
        srqs.set(call.srq, newSrq(call));
        return;
      case 'create_qp':
        return this.#create(call);
      case 'destroy_qp': {
        const qp = qps.get(call.qp);
        if (qp === undefined) return;
        qps.delete(call.qp);
        byNumber.delete(qp.number);
        this.#gone.add(qp.number);
        for (const users of [qp.sendCq.qps, qp.receiveCq.qps, qp.srq?.qps]) users?.delete(qp);
        return;
      }
      case 'query_qp':
        return this.#states.query(call, when);
      case 'query_srq':
        return this.#srqs.query(call, when);
      case 'query_port':
        return this.#ports.query(call.attr, when);
      case 'query_device':
        this.#srqs.device(call.attr.srq_resize);
        return this.#ports.device(call.attr, when);
      case 'write_memory':
        return;
    }
  }

  #create(call: CreateQp): void {
    const { cqs, srqs, qps, byNumber } = this.#context;
    const type = serviceOf(call.qp_type);
    if (type === undefined) return void this.#gone.add(call.qp_num);
    const cqOf = (handle: number): KnownCq => {
      const cq = cqs.get(handle) ?? newCq(handle, Number.POSITIVE_INFINITY);
      cqs.set(handle, cq);
      return cq;
    };
    const unknown = Number.POSITIVE_INFINITY;
    const qp = new KnownVerbsQp({
      handle: call.qp,
      number: call.qp_num,
      type,
      pd: call.pd,
      sendCq: cqOf(call.send_cq),
      receiveCq: cqOf(call.recv_cq),
      srq: call.srq === undefined ? undefined : srqs.get(call.srq),
      most: {
        send: call.max_send_wr,
        receive: call.max_recv_wr,
        sendSge: call.max_send_sge ?? unknown,
        receiveSge: call.max_recv_sge ?? unknown,
        inline: call.max_inline_data ?? unknown,
      },
      signalAll: call.sq_sig_all === true,
    });
    qp.outOfOrder = call.ooo === true;
    qps.set(call.qp, qp);
    byNumber.set(call.qp_num, qp);
    this.#gone.delete(call.qp_num);
  }

  /** Bytes beside a region belong to nobody. */
  #guard({ mr, offset, bytes }: Extract<TraceEvent, { kind: 'memory' }>, when: When): void {
    const region = this.#context.regions.get(mr);
    if (region === undefined) return;
    const { length } = region;
    const parts = [
      { guard: 'before', from: 0, to: Math.min(bytes.length, -offset) },
      { guard: 'behind', from: Math.max(0, length - offset), to: bytes.length },
    ];
    for (const { guard, from, to } of parts) {
      if (from >= to) continue;
      const wrong = bytes.subarray(from, to).findIndex((byte) => byte !== 0);
      for (const rule of this.#context.decide('guard', { guard })) {
        if (wrong < 0 || outcomeWord(rule.outcomes[0] ?? {}, 'mustGuard') !== 'zero') continue;
        const at = `byte ${offset + from + wrong} of region ${mr}, which has ${length}`;
        const observed = byteText(bytes[from + wrong]);
        this.#context.violate(rule, { ...when, qp: 'memory' }, `${at} = 0x00`, observed);
      }
    }
  }
}

function newCq(handle: number, entries: number): KnownCq {
  const together = { t: -1, count: 0 };
  return { handle, entries, lostAt: undefined, qps: new Set(), together, taken: 0, told: false };
}

function newSrq(call: Extract<VerbsCall, { call: 'create_srq' }>): KnownSrq {
  return {
    handle: call.srq,
    size: call.max_wr,
    maxSge: call.max_sge ?? Number.POSITIVE_INFINITY,
    posted: new WorkList(call.max_wr),
    limit: 0,
    // some devices take a limit when an SRQ is made, others do not look at it
    standing: (call.srq_limit ?? 0) === 0 ? 'unset' : 'open',
    armedBelow: false,
    raisedAt: 0,
    fell: false,
    cause: 0,
    qps: new Set(),
  };
}
