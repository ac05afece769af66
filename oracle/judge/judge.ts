import type { Packet } from '../../wire/packet.ts';
import { addressOf } from '../device/address.ts';
import { observeReply } from '../device/observed-reply.ts';
import { ReceiveQueue } from '../device/receive-queue.ts';
import { isResponse } from '../device/opcode-shape.ts';
import { Stalls } from '../device/stalls.ts';
import type { RuleSet } from '../rules.ts';
import type { Judgement, TraceEvent, TraceHeader } from '../trace.ts';
import { CapturedConnections } from './captured-connections.ts';
import { CongestionJudge } from '../congestion/judge.ts';
import { connectionOf, connectionOfNobody, Device, senderOf } from '../device/devices.ts';
import { stateName } from '../device/qp-state.ts';
import { EndToEndJudge } from '../end-to-end/judge.ts';
import { Frames } from './frames.ts';
import { compile, type JudgeRules } from './rules.ts';
import { Ledger } from '../rulebook/ledger.ts';
import { OutOfOrderQps } from '../ooo/qps.ts';
import { QpAttributeJudge } from '../attributes/judge.ts';
import { Paths } from '../path-migration/paths.ts';
import { judgeMemory, judgeQuery } from './read-back.ts';
import type { ReadBack } from './read-back.ts';
import { Requesters } from '../rc-requester/requesters.ts';
import { ResponderJudge } from '../rc-responder/judge.ts';
import { Survival } from './survival.ts';
import { UnreliableQps } from '../unreliable/qps.ts';
import { VerbsJudge } from '../verbs/judge.ts';

type CallEvent = Extract<TraceEvent, { kind: 'call' }>;

/**
 * Judges one trace against the rules, event by event; memory is bounded by what is unsettled, not by the length of the
 * trace. A rule counts as violated only if no conformant behaviour explains what was seen. Throws RangeError if the
 * vocabulary lacks what the oracle computes; never for anything in the trace.
 */
export class Judge {
  readonly #rules: JudgeRules;
  readonly #ledger = new Ledger();
  readonly #header: TraceHeader;
  readonly #device = new Device();
  readonly #captured: CapturedConnections;
  readonly #congestion: CongestionJudge;
  readonly #frames: Frames;
  readonly #parameters: QpAttributeJudge;
  readonly #requesters: Requesters;
  readonly #stalls = new Stalls();
  readonly #paths: Paths;
  readonly #unreliable: UnreliableQps;
  readonly #outOfOrder: OutOfOrderQps;
  readonly #verbs: VerbsJudge;
  readonly #survival: Survival;
  readonly #capabilities: ReadonlySet<string> | undefined;
  /** takes packets to QP numbers that the device does not have */
  #nobody: ResponderJudge | undefined;
  /** instead of all others where no packet is seen */
  readonly #effects: EndToEndJudge | undefined;
  #count = 0;

  constructor(header: TraceHeader, rules: RuleSet) {
    this.#header = header;
    this.#rules = compile(rules);
    if (header.sight.packets === 'none')
      this.#effects = new EndToEndJudge(this.#rules.unseen, this.#ledger, header);
    this.#survival = new Survival(this.#rules.survival, this.#ledger);
    this.#capabilities = header.capabilities && new Set(header.capabilities);
    this.#frames = new Frames(this.#rules, this.#ledger, this.#device);
    this.#requesters = new Requesters(header, this.#rules.requester, this.#ledger, this.#stalls);
    this.#paths = new Paths(this.#rules.requester.migration, this.#requesters, this.#ledger);
    this.#unreliable = new UnreliableQps(header, this.#rules.unreliable, this.#ledger, this.#device);
    this.#outOfOrder = new OutOfOrderQps(header, this.#rules.outOfOrder, this.#ledger, this.#device);
    this.#congestion = new CongestionJudge(header, this.#rules, {
      ledger: this.#ledger,
      requesters: this.#requesters,
      device: this.#device,
      frames: this.#frames,
    });
    this.#captured = new CapturedConnections(this.#rules, this.#ledger, this.#capabilities);
    this.#parameters = new QpAttributeJudge(this.#rules.parameters, this.#ledger, header);
    this.#verbs = new VerbsJudge(this.#rules.verbs, this.#ledger, header, (qp) => this.#underWay(qp));
  }

  push(event: TraceEvent): void {
    const index = this.#count++;
    this.#parameters.see(event, index);
    this.#verbs.see(event, index);
    this.#survival.see(event, index);
    if (this.#congestion.see(event, index)) return;
    if (this.#effects !== undefined) return this.#effects.see(event, index);
    if (this.#outOfOrder.see(event, index) || this.#unreliable.see(event, index)) return;
    switch (event.kind) {
      case 'packet':
        return this.#packet(event, index);
      case 'frame':
        return this.#frames.frame(event, index);
      case 'call':
        return this.#call(event, index);
      case 'call-failed':
        if (event.attempted?.call === 'modify_qp') this.#requesters.refused(event.attempted);
        return;
      case 'completion':
        return this.#completion(event, index);
      case 'async': {
        const { qp_num, cq, event_type } = event.event;
        if (event_type === 'IBV_EVENT_CQ_ERR' && cq !== undefined) this.#cqLost(cq);
        if (this.#requesters.announced(event.event, index, event.t)) return;
        if (qp_num !== undefined)
          this.#device.byNumber
            .get(qp_num)
            ?.push({ kind: 'async', event: index, t: event.t, what: event.event });
        return;
      }
      case 'memory':
        return judgeMemory(this.#readBack(), event, index);
      case 'settled':
        for (const judge of this.#all()) judge.settle(event.t);
        for (const judge of this.#requesters.all()) judge.settle(event.t);
        for (const judge of this.#device.byHandle.values()) this.#paths.follow(judge, index, event.t);
        return;
      case 'stall':
        return this.#stalls.add(event.t, event.until);
      case 'gap':
        for (const judge of [...this.#all(), ...this.#requesters.all()]) judge.loseSight(event.reason);
        return;
      case 'link':
      case 'rate':
      case 'hop':
      case 'gone':
        return;
    }
  }

  finish(): Judgement {
    this.#verbs.finish();
    this.#congestion.finish();
    return this.#ledger.judgement();
  }

  /** Of a CQ in error no completion is owed, and nothing tells what became of the work requests. */
  #cqLost(cq: number): void {
    for (const handle of this.#verbs.usersOf(cq)) {
      this.#ledger.skip('a QP whose CQ is in error');
      for (const judge of [this.#device.byHandle.get(handle), this.#requesters.of(handle)])
        if (judge !== undefined) judge.lost = true;
    }
  }

  /** Whether requests of an RC QP are unanswered; `undefined` where packets do not tell. */
  #underWay(handle: number): boolean | undefined {
    const judge = this.#requesters.of(handle);
    if (judge === undefined || judge.lost) return undefined;
    const { una, end } = judge.state;
    return una !== end;
  }

  #readBack(): ReadBack {
    return {
      ledger: this.#ledger,
      device: this.#device,
      requesters: this.#requesters,
      paths: this.#paths,
      tables: this.#rules,
    };
  }

  #all(): ResponderJudge[] {
    const nobody = this.#nobody === undefined ? [] : [this.#nobody];
    return [...this.#device.byHandle.values(), ...nobody, ...this.#captured.all()];
  }

  #packet(event: Extract<TraceEvent, { kind: 'packet' }>, index: number): void {
    const { packet } = event;
    this.#ledger.packets++;
    const { info } = packet;
    if (info !== undefined && info.service !== 'RC' && this.#header.sight.packets === 'mid-path')
      return this.#ledger.skip(`${info.service} packets`);
    if (this.#header.dut === undefined) return this.#captureHolds(packet, index, event.t);
    const direction = event.direction === 'unknown' ? this.#directionOf(packet) : event.direction;
    if (direction === 'to-dut') {
      if (isResponse(packet.opcode)) {
        this.#requesters.response(packet, index, event.t);
        return this.#paths.follow(this.#device.byNumber.get(packet.destQp), index, event.t);
      }
      const known = this.#device.byNumber.get(packet.destQp);
      const judge = known ?? this.#unknownQp();
      const entry = { kind: 'request', event: index, t: event.t, packet } as const;
      // whichever QP answers, it was not meant
      if (known === undefined) this.#frames.strayed(judge, entry);
      this.#paths.request(judge, packet);
      judge.push(entry);
      this.#requesters.request(packet, index, event.t);
      return;
    }
    if (this.#header.sight.packets === 'at-device')
      this.#frames.sent(packet.ipChecksumOk ? 'sound' : 'ip-header', event.t, index);
    // no work of any QP
    if (info?.kind === 'cnp') return;
    const seen = observeReply(packet);
    const judge = senderOf(packet, this.#device.byHandle.values(), (j) => j.connection);
    if (seen === undefined) {
      this.#requesters.sent(packet, index, event.t);
      return this.#paths.follow(judge, index, event.t);
    }
    if (judge === undefined) return this.#ledger.skip('responses of unknown QPs');
    this.#paths.reply(judge, packet);
    judge.push({ kind: 'reply', event: index, t: event.t, seen });
  }

  #completion({ wc, t }: Extract<TraceEvent, { kind: 'completion' }>, index: number): void {
    const judge = this.#device.byNumber.get(wc.qp_num);
    if (judge === undefined) return;
    const receives = (wrId: number): boolean => judge.connection.posted.has(wrId);
    const inError = judge.state.qpState === 'ERR';
    if (!this.#requesters.completion(wc, { event: index, t }, { receives, inError })) {
      judge.push({ kind: 'completion', event: index, t, wc });
      return;
    }
    // what fails the requester fails the QP, and with it the receive queue
    if (wc.status !== 'IBV_WC_SUCCESS' && !inError) this.#enterError(judge, index, t);
  }

  #enterError(judge: ResponderJudge, event: number, t: number): void {
    const { effects } = this.#rules;
    judge.push({
      kind: 'call',
      event,
      t,
      apply: (state) => {
        if (state.qpState === 'ERR') return;
        state.qpState = 'ERR';
        state.softwareState = 'ERR';
        effects.flushReceives(judge.connection, state, event);
        state.message = 'none';
      },
    });
  }

  #captureHolds(packet: Packet, index: number, t: number): void {
    if (!isResponse(packet.opcode)) {
      this.#captured.request(packet).push({ kind: 'request', event: index, t, packet });
      return;
    }
    const seen = observeReply(packet);
    if (seen) this.#captured.response(packet)?.push({ kind: 'reply', event: index, t, seen });
  }

  #directionOf(packet: Packet): 'to-dut' | 'from-dut' {
    return this.#header.dut?.addresses.includes(packet.dstIp) ? 'to-dut' : 'from-dut';
  }

  #unknownQp(): ResponderJudge {
    if (this.#nobody === undefined) {
      const connection = connectionOfNobody(this.#device, this.#capabilities);
      this.#nobody = new ResponderJudge(connection, this.#rules, this.#ledger);
    }
    return this.#nobody;
  }

  #call(event: CallEvent, index: number): void {
    const device = this.#device;
    const { memory } = device;
    switch (event.call) {
      case 'reg_mr':
        return memory.register(event);
      case 'dereg_mr': {
        this.#raceEnds('dereg_mr while packets were under way');
        const region = memory.regions.get(event.mr);
        if (region) region.alive = false;
        return;
      }
      case 'write_memory': {
        this.#raceEnds('memory written by software while packets were under way');
        const region = memory.regions.get(event.mr);
        region?.content.set(event.bytes, event.offset);
        region?.byteClass?.fill(0, event.offset, event.offset + event.bytes.length);
        return;
      }
      case 'create_srq':
        device.srqs.set(event.srq, { posted: new ReceiveQueue(), users: [] });
        return;
      case 'post_srq_recv': {
        const srq = device.srqs.get(event.srq);
        srq?.posted.push(event.wr);
        for (const judge of srq?.users ?? []) this.#posted(judge, event, index);
        return;
      }
      case 'create_qp': {
        if (event.qp_type === 'IBV_QPT_UC' || event.qp_type === 'IBV_QPT_UD') return;
        if (event.qp_type !== 'IBV_QPT_RC') return this.#ledger.skip(`QPs of type ${event.qp_type}`);
        const sight = {
          atDevice: this.#header.sight.packets === 'at-device',
          capabilities: this.#capabilities,
        };
        const judge = new ResponderJudge(connectionOf(event, device, sight), this.#rules, this.#ledger);
        device.byHandle.set(event.qp, judge);
        device.byNumber.set(event.qp_num, judge);
        this.#requesters.create(event.qp, judge.connection);
        if (event.srq === undefined) return;
        const srq = device.srqs.get(event.srq);
        srq?.users.push(judge);
        judge.push({
          kind: 'call',
          event: index,
          t: event.t,
          apply: (state) => void (state.rqTail = judge.connection.posted.length),
        });
        if ((srq?.users.length ?? 0) > 1)
          for (const user of srq?.users ?? []) user.loseSight('an SRQ with several QPs');
        return;
      }
      case 'modify_qp':
        return this.#modify(event, index);
      case 'query_qp':
        return judgeQuery(this.#readBack(), event, index);
      case 'create_cq':
      case 'create_ah':
      case 'modify_srq':
      case 'query_srq':
      case 'query_port':
      case 'query_device':
        return;
      case 'destroy_qp': {
        const judge = device.byHandle.get(event.qp);
        device.byHandle.delete(event.qp);
        this.#requesters.destroy(event.qp);
        if (judge) device.byNumber.delete(judge.connection.qpNumber);
        return;
      }
      case 'post_recv': {
        const judge = device.byHandle.get(event.qp);
        judge?.connection.posted.push(event.wr);
        if (judge) this.#posted(judge, event, index);
        return;
      }
      case 'post_send':
        return this.#requesters.post(event.qp, event.wr, { event: index, t: event.t });
    }
  }

  #posted(judge: ResponderJudge, event: CallEvent, index: number): void {
    const end = judge.connection.posted.length;
    const { effects } = this.#rules;
    judge.push({
      kind: 'call',
      event: index,
      t: event.t,
      posts: true,
      apply: (state) => {
        state.rqTail = end;
        if (state.qpState === 'ERR') effects.flushReceives(judge.connection, state, index);
      },
    });
  }

  /** Calls that change more than the receive queue are judged only where no packet races with them. */
  #raceEnds(what: string): void {
    for (const judge of this.#device.byHandle.values()) if (judge.unsettled) judge.loseSight(what);
  }

  #modify(event: Extract<CallEvent, { call: 'modify_qp' }>, index: number): void {
    const judge = this.#device.byHandle.get(event.qp);
    if (judge === undefined) return;
    if (judge.unsettled) judge.loseSight('modify_qp while packets were under way');
    this.#requesters.modify(event, { event: index, t: event.t });
    const { connection } = judge;
    const { attr } = event;
    if (attr.qp_access_flags) connection.access = attr.qp_access_flags;
    if (attr.dest_qp_num !== undefined) connection.peerQpNumber = attr.dest_qp_num;
    if (attr.ah_attr) connection.peerAddress = addressOf(attr.ah_attr.dgid);
    if (attr.min_rnr_timer !== undefined) connection.minRnrTimer = attr.min_rnr_timer;
    if (attr.max_dest_rd_atomic !== undefined) connection.maxDestRdAtomic = attr.max_dest_rd_atomic;
    if (attr.alt_ah_attr !== undefined && !connection.atDevice)
      judge.loseSight('an alternate path, to which a QP may migrate unseen');
    const { effects } = this.#rules;
    judge.push({
      kind: 'call',
      event: index,
      t: event.t,
      apply: (state) => {
        if (attr.path_mtu !== undefined) state.pmtu = attr.path_mtu;
        if (attr.rq_psn !== undefined) state.ePsn = attr.rq_psn;
        this.#paths.modify(state, attr);
        if (attr.qp_state === undefined) return;
        const name = stateName(attr.qp_state);
        if (name === 'RESET') judge.reset(state);
        state.qpState = name;
        state.softwareState = name;
        if (name === 'INIT') state.msnBase = 0;
        if (name === 'ERR') {
          effects.flushReceives(connection, state, index);
          state.message = 'none';
        }
      },
    });
  }
}

/** Judges a whole trace at once. */
export function judgeTrace(header: TraceHeader, events: Iterable<TraceEvent>, rules: RuleSet): Judgement {
  const judge = new Judge(header, rules);
  for (const event of events) judge.push(event);
  return judge.finish();
}
