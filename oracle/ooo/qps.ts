import type { RecvWr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { loseSight } from '../device/fatal-events.ts';
import { Link } from '../device/objects/link.ts';
import type { QpChange, Reregistered } from '../device/listener.ts';
import type { Region } from '../device/memory.ts';
import { PortQueue } from '../device/port-queue.ts';
import type { Objects } from '../device/objects.ts';
import { doubtfulRegion } from '../device/objects/reregistration.ts';
import type { Claim, Observer } from '../device/observer.ts';
import { isResponse } from '../device/packet/opcode-shape.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import type { Qp } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { RuleBook } from '../rulebook/rule-book.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { declaredInputs } from './device.ts';
import type { OooDevice } from './device.ts';
import { PlacedMemory } from './memory.ts';
import { OrdinaryQps } from './ordinary-qps.ts';
import { isOutOfOrder } from './packet.ts';
import { OutOfOrderPair } from './pair.ts';
import { judgePlacedMemory } from './read-back.ts';
import type { OooRules } from './registers.ts';

type PacketEvent = Extract<TraceEvent, { kind: 'packet' }>;

/** Judges the out-of-order QPs of a device whose packets and verbs calls are all seen. */
export class OutOfOrderQps implements Observer {
  readonly #rules: OooRules;
  readonly #ledger: Ledger;
  readonly #objects: Objects;
  readonly #header: TraceHeader;
  readonly #pairs = new Map<Qp, OutOfOrderPair>();
  /** of QPs that were destroyed, where it is unknown what they did to memory */
  readonly #gone: OutOfOrderPair[] = [];
  readonly #device: OooDevice;
  readonly #ordinary: OrdinaryQps;
  readonly #link: Link;

  constructor(
    header: TraceHeader,
    rules: OooRules,
    ledger: Ledger,
    objects: Objects,
    port = new PortQueue({ lineRate: undefined, responseTime: undefined }),
  ) {
    this.#header = header;
    this.#link = new Link(header);
    this.#rules = rules;
    this.#ledger = ledger;
    this.#objects = objects;
    const profile = header.outOfOrder;
    const { responseTime: grace, jitter } = header.timing ?? { responseTime: 0, jitter: 0 };
    this.#device = {
      placements: new PlacedMemory(),
      profile,
      declared: declaredInputs(profile, header.capabilities),
      rules,
      grace,
      jitter,
      port,
    };
    this.#ordinary = new OrdinaryQps(header, rules, ledger, objects);
  }

  see(event: TraceEvent, index: number): Claim {
    this.#ordinary.see(event, index);
    if (this.#pairs.size === 0 && this.#gone.length === 0) return 'shared';
    const when = { event: index, t: event.t };
    switch (event.kind) {
      case 'packet':
        return this.#packet(event, index);
      case 'completion': {
        const pair = this.#byNumber(event.wc.qp_num);
        pair?.completion(event.wc, event.cq, when);
        return pair === undefined ? 'shared' : 'mine';
      }
      case 'memory': {
        const pairs = [...this.#pairs.values(), ...this.#gone];
        const { placements } = this.#device;
        const { memory } = this.#objects;
        const region = memory.regions.get(event.mr);
        const own = region !== undefined && placements.has(region);
        const unknown = pairs.some(
          ({ qp, unsure }) => unsure && region !== undefined && qp.reaches(region.pd),
        );
        if (!own && !unknown && !this.#objects.hasHadOnly('ORC')) return 'shared';
        const around = { pairs, book: new RuleBook(this.#rules.tables, this.#ledger), memory, placements };
        judgePlacedMemory(around, event, index);
        return 'mine';
      }
      case 'async':
      case 'gap':
        return this.#loseSight(event);
      case 'link':
        return this.#changeLink(event.up);
      case 'settled':
        for (const pair of this.#pairs.values()) pair.settle(when);
        return 'shared';
      case 'call':
      case 'call-failed':
      case 'frame':
      case 'stall':
      case 'gid':
      case 'rate':
      case 'cq-event':
      case 'second-context':
      case 'hop':
      case 'gone':
        return 'shared';
    }
  }

  /** Whether requests of a QP are unanswered; `undefined` where packets do not tell. */
  underWay(qp: Qp): boolean | undefined {
    return this.#pairs.get(qp)?.requester.underWay;
  }

  /** The rate of a QP may keep it from sending. */
  hold(qp: Qp): void {
    this.#pairs.get(qp)?.responder.hold();
  }

  #byNumber(number: number): OutOfOrderPair | undefined {
    const qp = this.#objects.byNumber(number);
    return qp && this.#pairs.get(qp);
  }

  #changeLink(up: boolean): Claim {
    this.#link.up = up;
    for (const pair of this.#pairs.values())
      if (up) pair.requester.lighten();
      else pair.withoutLink();
    return 'shared';
  }

  #loseSight(event: TraceEvent): Claim {
    loseSight(event, this.#pairs.values());
    return 'shared';
  }

  #packet({ packet, direction, t }: PacketEvent, index: number): Claim {
    const addresses = this.#header.dut?.addresses;
    const inbound = direction === 'unknown' ? addresses?.includes(packet.dstIp) : direction === 'to-dut';
    const pair = inbound === true ? this.#byNumber(packet.destQp) : this.#senderOf(packet);
    if (pair === undefined || packet.info?.kind === 'cnp') return 'shared';
    this.#ledger.packets++;
    const { requester, responder } = pair;
    const when = { event: index, t };
    const answer = isResponse(packet.opcode);
    if (inbound === true && !this.#link.up) {
      if (!this.#link.surelyDown) pair.loseSight('the link was down');
    } else if (inbound === true) {
      if (answer) requester.response(packet, when);
      else responder.packet(packet, when);
    } else if (answer) responder.replied(packet, when);
    else requester.sent(packet, when);
    return 'mine';
  }

  /** The QP that the packet comes from. Of the only QP of a device, whatever it looks like. */
  #senderOf(packet: Packet): OutOfOrderPair | undefined {
    if (this.#objects.departedSender(packet) !== undefined) return undefined;
    const pairs = [...this.#pairs.values()];
    if (this.#objects.size === 1) return pairs[0];
    return isOutOfOrder(packet) ? pairs.find(({ qp }) => qp.peerQpNumber === packet.destQp) : undefined;
  }

  created(qp: Qp): void {
    this.#ordinary.created(qp);
    if (qp.kind === 'ORC') this.#add(qp);
    if ((qp.srq?.users ?? 0) < 2) return;
    for (const user of qp.srq?.qps ?? [])
      this.#pairs.get(user)?.responder.loseSight('an SRQ with several QPs');
  }

  #add(qp: Qp): void {
    const { sight } = this.#header;
    if (sight.packets !== 'at-device' || !sight.verbs)
      return this.#ledger.skip('out-of-order QPs whose packets or calls are not all seen');
    const book = new RuleBook(this.#rules.tables, this.#ledger, { qp: qp.name });
    this.#pairs.set(qp, new OutOfOrderPair(qp, this.#device, book));
  }

  /** What it did to memory is known where it was at rest. */
  destroyed(qp: Qp): void {
    this.#ordinary.destroyed(qp);
    const pair = this.#pairs.get(qp);
    if (pair === undefined) return;
    if (pair.unsure || pair.requester.unsettled) {
      pair.loseSight('a QP that was destroyed while packets were under way');
      this.#gone.push(pair);
    }
    this.#pairs.delete(qp);
  }

  receivePosted(qp: Qp, wr: RecvWr): void {
    this.#ordinary.receivePosted(qp, wr);
  }

  sendPosted(qp: Qp, send: PostedSend): void {
    const requester = this.#pairs.get(qp)?.requester;
    if (requester === undefined) return;
    const most = this.#objects.port?.max_msg_sz ?? this.#header.limits?.maxMessageBytes;
    if (most !== undefined && send.length > most) requester.leaveOut('messages longer than the device sends');
    else {
      if (this.#link.surelyDown) requester.darken();
      else if (!this.#link.up) requester.loseSight('the link was down');
      requester.post(send);
    }
  }

  localPosted(qp: Qp): void {
    this.#pairs.get(qp)?.requester.leaveOut('work requests that send nothing');
  }

  modified(qp: Qp, change: QpChange): void {
    this.#ordinary.modified(qp, change);
    this.#pairs.get(qp)?.modified(change);
  }

  /** Of the QPs that can reach a region. */
  #on({ pd }: Region): OutOfOrderPair[] {
    return [...this.#pairs.values()].filter(({ qp }) => qp.reaches(pd));
  }

  written(region: Region, { offset, length }: { offset: number; length: number }): void {
    this.#device.placements.forget(region, offset, length);
    for (const pair of this.#on(region))
      pair.memoryChanged('memory written by software while packets were under way', false);
  }

  reregistered(_region: Region, { pds, certain }: Reregistered): void {
    for (const pair of this.#pairs.values()) {
      if (!pds.some((pd) => pair.qp.reaches(pd))) continue;
      if (certain) pair.memoryChanged('rereg_mr while packets were under way', true);
      else pair.loseSight(doubtfulRegion);
    }
  }

  deregistered(region: Region): void {
    for (const pair of this.#on(region)) pair.memoryChanged('dereg_mr while packets were under way', true);
  }
}
