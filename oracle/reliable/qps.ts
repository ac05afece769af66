import type { AsyncEvent, QpAttr, RecvWr, SendWr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { Frames } from '../device/frames.ts';
import type { QpChange, Reregistered } from '../device/listener.ts';
import type { Region } from '../device/memory.ts';
import type { Objects } from '../device/objects.ts';
import type { Observer } from '../device/observer.ts';
import { doubtfulRegion } from '../device/objects/reregistration.ts';
import { hasTooMany, tooManyElements } from '../device/queues/too-many-elements.ts';
import { isResponse } from '../device/packet/opcode-shape.ts';
import { senderOf } from '../device/packet/sender-of.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import type { Qp, Srq } from '../device/qp.ts';
import type { Stalls } from '../device/stalls.ts';
import { isPathEvent } from '../rc-requester/migration.ts';
import { requesterOf } from '../rc-requester/requester.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { RuleBook } from '../rulebook/rule-book.ts';
import type { Branch } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { Losses } from './losses.ts';
import { Nobody } from './nobody.ts';
import { ReliablePackets } from './packets.ts';
import { ReliablePair } from './pair.ts';
import { ReliablePairs } from './pairs.ts';
import { Paths } from './paths.ts';
import { judgeMemory, judgeQuery } from './read-back.ts';
import type { ReadBack } from './read-back.ts';
import type { ReliableRules } from './rules.ts';

/** Judges the RC QPs of a device whose verbs calls are seen, and what is no packet of any QP. */
export class ReliableQps implements Observer {
  readonly pairs: ReliablePairs;
  readonly #rules: ReliableRules;
  readonly #ledger: Ledger;
  readonly #header: TraceHeader;
  readonly #objects: Objects;
  readonly #stalls: Stalls;
  readonly #packets: ReliablePackets;
  readonly #nobody: Nobody;
  readonly #frames: Frames;
  readonly #paths: Paths;
  readonly #readBack: ReadBack;
  readonly #losses: Losses;

  constructor(header: TraceHeader, rules: ReliableRules, ledger: Ledger, objects: Objects, stalls: Stalls) {
    this.#header = header;
    this.#rules = rules;
    this.#ledger = ledger;
    this.#objects = objects;
    this.pairs = new ReliablePairs(objects);
    this.#stalls = stalls;
    this.#losses = new Losses(header, rules.outage, { ledger, objects, pairs: this.pairs });
    this.#nobody = new Nobody(rules, ledger, objects);
    this.#paths = new Paths(rules.requester.migration, ledger);
    this.#readBack = { book: new RuleBook(rules.tables, ledger), rules, paths: this.#paths };
    this.#frames = new Frames(rules.device, ledger, {
      all: () => this.pairs.responders(),
      byNumber: (qpNumber) => this.pairs.byNumber(qpNumber)?.responder,
    });
    const surroundings = { header, ledger, objects, pairs: this.pairs, nobody: this.#nobody };
    this.#packets = new ReliablePackets({ ...surroundings, frames: this.#frames, paths: this.#paths });
  }

  /** Something else than a packet of a QP left the device. */
  left(packet: Packet, when: When): void {
    this.#packets.left(packet, when);
  }

  /** Of a packet that is no QP's comes what `branch` says. */
  vain(qpNumber: number, branch: Branch, when: When): void {
    this.#frames.vain(branch, when, qpNumber);
  }

  see(event: TraceEvent, index: number): 'mine' {
    const when = { event: index, t: event.t };
    switch (event.kind) {
      case 'packet': {
        this.#frames.packet(event);
        const ends = event.direction === 'to-dut' && this.#losses.mayEndRegion(event.packet, when);
        if (this.#losses.linkUp || event.direction !== 'to-dut') this.#packets.see(event, when);
        else this.#losses.intoNothing(event.packet);
        this.#lost(event, when);
        if (ends) this.#losses.endsRegion(event.packet);
        break;
      }
      case 'frame':
        this.#frames.frame(event, index);
        break;
      case 'completion':
        this.pairs.byNumber(event.wc.qp_num)?.completion(event.wc, when);
        this.#losses.outages.completed(this.#objects.byNumber(event.wc.qp_num), event.wc, when);
        break;
      case 'async':
        this.#event(event.event, when);
        break;
      case 'memory':
        judgeMemory(this.#readBack, this.pairs.writers, this.#objects.memory, event, index);
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
      case 'link':
        this.#losses.link(event);
        break;
      case 'call':
      case 'call-failed':
      case 'gid':
      case 'rate':
      case 'cq-event':
      case 'second-context':
      case 'hop':
      case 'gone':
    }
    return 'mine';
  }

  /** What a packet is to what nobody can follow any more. */
  #lost({ packet, direction, t }: Extract<TraceEvent, { kind: 'packet' }>, when: When): void {
    const { outages } = this.#losses;
    if (direction === 'from-dut') return outages.sent(senderOf(packet, this.pairs.all)?.qp, packet, when);
    if (isResponse(packet.opcode) && !this.#losses.deaf)
      outages.arrived(this.#objects.byNumber(packet.destQp), packet, t);
  }

  #event(what: AsyncEvent, when: When): void {
    const { qp_num: number, event_type: type } = what;
    const pair = this.pairs.byNumber(number);
    if (isPathEvent(type)) pair?.requester?.push({ kind: 'path', event: when.event, t: when.t, type });
    else pair?.responder.push({ kind: 'async', event: when.event, t: when.t, what });
    this.#losses.failed(what);
  }

  #settle(when: When): void {
    this.pairs.settle(when.t);
    this.#losses.outages.settle(when.t);
    this.#nobody.settle(when.t);
    for (const pair of this.pairs.all.values()) this.#paths.follow(pair, when);
  }

  finish(): void {
    for (const { requester } of this.pairs.writers) requester?.finish();
  }

  #loseSight(why: string): void {
    this.#losses.outages.endAll();
    this.#nobody.loseSight(why);
    for (const pair of this.pairs.writers) pair.loseSight(why);
  }

  created(qp: Qp, when: When): void {
    if (qp.kind === 'other') this.#ledger.skip(`QPs of type ${qp.type}`);
    if (qp.kind === 'RC') {
      const requester = qp.atDevice ? requesterOf(qp, this.#header, this.#stalls) : undefined;
      const pair = new ReliablePair(qp, requester, this.#rules, this.#ledger);
      this.pairs.add(pair);
      if (qp.srq !== undefined) pair.receivePosted(when);
      qp.srq?.takers.watch(qp, pair.responder);
    }
  }

  destroyed(qp: Qp, when: When): void {
    this.#losses.outages.end(qp);
    this.pairs.remove(qp, when);
  }

  modified(qp: Qp, change: QpChange, when: When): void {
    const pair = this.pairs.of(qp);
    this.#losses.asked(pair, change.attr);
    this.#losses.outages.end(qp);
    pair?.modified(change, when);
    this.#losses.withoutLink(pair, undefined);
  }

  /** It was free to where the rules give it the choice. */
  modifyRefused(qp: Qp, attr: QpAttr): void {
    this.pairs.of(qp)?.requester?.refusedPaths(attr);
  }

  queried(qp: Qp, attr: QpAttr, when: When): void {
    const pair = this.pairs.of(qp);
    if (pair !== undefined) judgeQuery(this.#readBack, pair, attr, when);
  }

  sendPosted(qp: Qp, send: PostedSend): void {
    const pair = this.pairs.of(qp);
    this.#losses.outages.posted(qp, send.t);
    pair?.sendPosted(send);
    this.#losses.withoutLink(pair, send.t);
  }

  localPosted(qp: Qp, wr: SendWr): void {
    const pair = this.pairs.of(qp);
    if (pair?.requester?.lost === false) this.#ledger.skip('requesters whose work sends nothing');
    pair?.localPosted(wr);
    this.#losses.outages.end(qp);
    this.#losses.endsKey(qp, wr);
  }

  receivePosted(qp: Qp, wr: RecvWr, when: When): void {
    if (qp.srq === undefined) this.#receivePosted([qp], hasTooMany(wr, qp), when);
  }

  sharedPosted(srq: Srq, wr: RecvWr, when: When): void {
    this.#receivePosted(srq.qps, hasTooMany(wr, srq), when);
  }

  #receivePosted(qps: Iterable<Qp>, tooMany: boolean, when: When): void {
    for (const qp of qps) {
      const pair = this.pairs.of(qp);
      // what becomes of one that takes it, the rules of RC say, where the device has told how much room there is
      if (pair !== undefined && tooMany && !(qp.kind === 'RC' && (qp.srq ?? qp).roomReported)) {
        this.#ledger.skip(tooManyElements);
        pair.giveUp();
      } else pair?.receivePosted(when);
    }
  }

  written({ pd }: Region): void {
    this.pairs.raceEnds('memory written by software while packets were under way', pd);
  }

  deregistered(region: Region, when: When): void {
    for (const pair of this.pairs.all.values())
      if (pair.qp.reaches(region.pd)) pair.deregistered(region, when);
  }

  reregistered(region: Region, how: Reregistered, when: When): void {
    if (!how.certain) this.#ledger.skip(doubtfulRegion);
    for (const pair of this.pairs.all.values())
      if (how.pds.some((pd) => pair.qp.reaches(pd))) pair.reregistered(region, how, when);
  }

  windowClosed(pd: number): void {
    this.pairs.raceEnds('dealloc_mw while packets were under way', pd);
  }
}
