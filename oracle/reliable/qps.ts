import type { AsyncEvent, QpAttr, RecvWr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { Frames } from '../device/frames.ts';
import type { QpChange } from '../device/listener.ts';
import type { Objects } from '../device/objects.ts';
import { observeReply } from '../device/observed-reply.ts';
import type { Observer } from '../device/observer.ts';
import { isResponse } from '../device/opcode-shape.ts';
import type { PostedSend } from '../device/posted-send.ts';
import { serviceOf, type Qp, type Srq } from '../device/qp.ts';
import { senderOf } from '../device/sender-of.ts';
import type { Stalls } from '../device/stalls.ts';
import { isPathEvent } from '../rc-requester/migration.ts';
import { requesterOf } from '../rc-requester/requester.ts';
import type { ResponderJudge } from '../rc-responder/judge.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { RuleBook } from '../rulebook/rule-book.ts';
import type { Branch } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { Nobody } from './nobody.ts';
import { ReliablePair } from './pair.ts';
import { Paths } from './paths.ts';
import { judgeMemory, judgeQuery } from './read-back.ts';
import type { ReadBack } from './read-back.ts';
import type { ReliableRules } from './rules.ts';

/** Judges the RC QPs of a device whose verbs calls are seen, and what is no packet of any QP. */
export class ReliableQps implements Observer {
  readonly #rules: ReliableRules;
  readonly #ledger: Ledger;
  readonly #header: TraceHeader;
  readonly #objects: Objects;
  readonly #stalls: Stalls;
  readonly #pairs = new Map<Qp, ReliablePair>();
  readonly #nobody: Nobody;
  readonly #frames: Frames;
  readonly #paths: Paths;
  readonly #readBack: ReadBack;

  constructor(header: TraceHeader, rules: ReliableRules, ledger: Ledger, objects: Objects, stalls: Stalls) {
    this.#header = header;
    this.#rules = rules;
    this.#ledger = ledger;
    this.#objects = objects;
    this.#stalls = stalls;
    this.#nobody = new Nobody(rules, ledger, objects);
    this.#paths = new Paths(rules.requester.migration, ledger);
    this.#readBack = { book: new RuleBook(rules.tables, ledger), rules, paths: this.#paths };
    this.#frames = new Frames(rules.device, ledger, {
      all: () => this.#responders(),
      byNumber: (qpNumber) => this.#byNumber(qpNumber)?.responder,
    });
  }

  *#responders(): Generator<ResponderJudge> {
    for (const { responder } of this.#pairs.values()) yield responder;
  }

  #byNumber(qpNumber: number | undefined): ReliablePair | undefined {
    const qp = qpNumber === undefined ? undefined : this.#objects.byNumber(qpNumber);
    return qp && this.#pairs.get(qp);
  }

  /** Whether requests of a QP are unanswered; `undefined` where packets do not tell. */
  underWay(qp: Qp): boolean | undefined {
    const requester = this.#pairs.get(qp)?.requester;
    if (requester === undefined || requester.lost) return undefined;
    const { una, end } = requester.state;
    return una !== end;
  }

  /** The rate of a QP keeps it from sending until then. */
  hold(qp: Qp, from: number, until: number): void {
    this.#pairs.get(qp)?.requester?.requester.stalls.hold(from, until);
  }

  /** Something else than a packet of a QP left the device. */
  left(packet: Packet, when: When): void {
    if (this.#objects.atDevice) this.#frames.sent(packet.ipChecksumOk ? 'sound' : 'ip-header', when);
  }

  /** Of a packet that is no QP's comes what `branch` says. */
  vain(qpNumber: number, branch: Branch, when: When): void {
    this.#frames.vain(branch, when, qpNumber);
  }

  see(event: TraceEvent, index: number): 'mine' {
    const when = { event: index, t: event.t };
    switch (event.kind) {
      case 'packet':
        this.#packet(event, when);
        break;
      case 'frame':
        this.#frames.frame(event, index);
        break;
      case 'completion':
        this.#byNumber(event.wc.qp_num)?.completion(event.wc, when);
        break;
      case 'async':
        this.#event(event.event, when);
        break;
      case 'memory':
        judgeMemory(this.#readBack, [...this.#pairs.values()], this.#objects.memory, event, index);
        break;
      case 'settled':
        this.#settle(when);
        break;
      case 'stall':
        this.#stalls.add(event.t, event.until);
        break;
      case 'gap':
        this.#loseSight(event.reason);
        break;
      case 'call':
      case 'call-failed':
      case 'link':
      case 'rate':
      case 'hop':
      case 'gone':
    }
    return 'mine';
  }

  #packet({ packet, direction }: Extract<TraceEvent, { kind: 'packet' }>, when: When): void {
    this.#ledger.packets++;
    const { info } = packet;
    if (info !== undefined && info.service !== 'RC' && this.#header.sight.packets === 'mid-path')
      return this.#ledger.skip(`${info.service} packets`);
    const known = this.#header.dut?.addresses.includes(packet.dstIp) === true ? 'to-dut' : 'from-dut';
    if ((direction === 'unknown' ? known : direction) === 'from-dut') this.#sent(packet, when);
    else if (isResponse(packet.opcode)) this.#answered(packet, when);
    else this.#arrived(packet, when);
  }

  /** A response reached the device. */
  #answered(packet: Packet, when: When): void {
    const pair = this.#byNumber(packet.destQp);
    if (pair === undefined) return;
    pair.requester?.push({ kind: 'response', event: when.event, t: when.t, packet });
    this.#paths.follow(pair, when);
  }

  /** A request reached the device. */
  #arrived(packet: Packet, when: When): void {
    const pair = this.#byNumber(packet.destQp);
    const entry = { kind: 'request', event: when.event, t: when.t, packet } as const;
    // whichever QP answers, it was not meant
    if (pair === undefined) return this.#frames.vain(this.#nobody.push(entry), when);
    this.#paths.request(pair, packet);
    pair.responder.push(entry);
    // it may take the QP to its alternate path
    if (pair.requester?.state.migration.loaded)
      pair.requester.push({ kind: 'response', event: when.event, t: when.t, packet });
  }

  #sent(packet: Packet, when: When): void {
    this.left(packet, when);
    // no work of any QP
    if (packet.info?.kind === 'cnp') return;
    const seen = observeReply(packet);
    const pair = senderOf(packet, this.#pairs);
    if (seen !== undefined) {
      if (pair === undefined) return this.#ledger.skip('responses of unknown QPs');
      this.#paths.reply(pair, packet);
      return pair.responder.push({ kind: 'reply', event: when.event, t: when.t, seen });
    }
    if (pair?.requester === undefined) this.#ledger.skip('requests of unknown QPs');
    else pair.requester.push({ kind: 'sent', event: when.event, t: when.t, packet });
    if (pair !== undefined) this.#paths.follow(pair, when);
  }

  #event(what: AsyncEvent, when: When): void {
    const { qp_num: number, cq, event_type: type } = what;
    if (type === 'IBV_EVENT_CQ_ERR' && cq !== undefined) this.#cqLost(cq);
    const pair = this.#byNumber(number);
    if (isPathEvent(type)) pair?.requester?.push({ kind: 'path', event: when.event, t: when.t, type });
    else pair?.responder.push({ kind: 'async', event: when.event, t: when.t, what });
  }

  /** Of a CQ in error no completion is owed, and nothing tells what became of the work requests. */
  #cqLost(cq: number): void {
    for (const qp of this.#objects.cq(cq)?.qps ?? []) {
      if (serviceOf(qp) !== undefined) this.#ledger.skip('a QP whose CQ is in error');
      this.#pairs.get(qp)?.giveUp();
    }
  }

  #settle(when: When): void {
    for (const responder of this.#responders()) responder.settle(when.t);
    this.#nobody.settle(when.t);
    for (const { requester } of this.#pairs.values()) requester?.settle(when.t);
    for (const pair of this.#pairs.values()) this.#paths.follow(pair, when);
  }

  #loseSight(why: string): void {
    for (const responder of this.#responders()) responder.loseSight(why);
    this.#nobody.loseSight(why);
    for (const { requester } of this.#pairs.values()) requester?.loseSight(why);
  }

  created(qp: Qp, when: When): void {
    if (qp.kind === 'other') this.#ledger.skip(`QPs of type ${qp.type}`);
    if (qp.kind === 'RC') {
      const requester = qp.atDevice ? requesterOf(qp, this.#header, this.#stalls) : undefined;
      const pair = new ReliablePair(qp, requester, this.#rules, this.#ledger);
      this.#pairs.set(qp, pair);
      if (qp.srq !== undefined) pair.receivePosted(when);
    }
    if ((qp.srq?.users ?? 0) > 1)
      for (const user of qp.srq?.qps ?? [])
        this.#pairs.get(user)?.responder.loseSight('an SRQ with several QPs');
  }

  destroyed(qp: Qp): void {
    this.#pairs.delete(qp);
  }

  modified(qp: Qp, change: QpChange, when: When): void {
    this.#pairs.get(qp)?.modified(change, when);
  }

  /** It was free to where the rules give it the choice. */
  modifyRefused(qp: Qp, attr: QpAttr): void {
    this.#pairs.get(qp)?.requester?.refusedPaths(attr);
  }

  queried(qp: Qp, attr: QpAttr, when: When): void {
    const pair = this.#pairs.get(qp);
    if (pair !== undefined) judgeQuery(this.#readBack, pair, attr, when);
  }

  sendPosted(qp: Qp, send: PostedSend): void {
    this.#pairs.get(qp)?.sendPosted(send);
  }

  receivePosted(qp: Qp, _wr: RecvWr, when: When): void {
    this.#pairs.get(qp)?.receivePosted(when);
  }

  sharedPosted(srq: Srq, _wr: RecvWr, when: When): void {
    for (const qp of srq.qps) this.#pairs.get(qp)?.receivePosted(when);
  }

  written(): void {
    this.#raceEnds('memory written by software while packets were under way');
  }

  deregistered(): void {
    this.#raceEnds('dereg_mr while packets were under way');
  }

  /** Calls that change more than the receive queue are judged only where no packet races with them. */
  #raceEnds(what: string): void {
    for (const responder of this.#responders()) if (responder.unsettled) responder.loseSight(what);
  }
}
