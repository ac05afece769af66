import type { AsyncEvent, QpAttr, RecvWr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { fatalEvents } from '../device/fatal-events.ts';
import type { QpChange } from '../device/listener.ts';
import type { Objects } from '../device/objects.ts';
import type { Claim, Observer } from '../device/observer.ts';
import { isResponse } from '../device/opcode-shape.ts';
import type { PostedSend } from '../device/posted-send.ts';
import type { Qp, Srq } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { RuleBook } from '../rulebook/rule-book.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { admissionFacts } from './facts.ts';
import { UnreliablePair } from './pair.ts';
import { isUnreliable } from './qp.ts';
import { judgeUnreliableMemory, judgeUnreliableState } from './read-back.ts';
import { tableOf } from './tables.ts';
import type { UnreliableBook, UnreliableService, UnreliableTables } from './tables.ts';

type PacketEvent = Extract<TraceEvent, { kind: 'packet' }>;

const requestEvents: ReadonlySet<string> = new Set(['IBV_EVENT_QP_REQ_ERR', 'IBV_EVENT_QP_ACCESS_ERR']);

/** Judges the UC and UD QPs of a device whose packets are all seen. Verbs calls must be in the trace. */
export class UnreliableQps implements Observer {
  readonly #tables: UnreliableTables;
  readonly #ledger: Ledger;
  /** of all QPs */
  readonly #book: UnreliableBook;
  readonly #objects: Objects;
  readonly #header: TraceHeader;
  readonly #pairs = new Map<Qp, UnreliablePair>();

  constructor(header: TraceHeader, tables: UnreliableTables, ledger: Ledger, objects: Objects) {
    this.#header = header;
    this.#tables = tables;
    this.#ledger = ledger;
    this.#book = new RuleBook(tables, ledger);
    this.#objects = objects;
  }

  #byNumber(number: number | undefined): UnreliablePair | undefined {
    const qp = number === undefined ? undefined : this.#objects.byNumber(number);
    return qp && this.#pairs.get(qp);
  }

  see(event: TraceEvent, index: number): Claim {
    if (this.#pairs.size === 0) return 'shared';
    switch (event.kind) {
      case 'packet':
        return this.#packet(event, index);
      case 'completion': {
        const pair = this.#byNumber(event.wc.qp_num);
        pair?.completion(event.wc, event.cq, index, event.t);
        return pair === undefined ? 'shared' : 'mine';
      }
      case 'memory': {
        if (this.#objects.has('RC')) return 'shared';
        const pairs = [...this.#pairs.values()];
        const { memory } = this.#objects;
        judgeUnreliableMemory({ pairs, book: this.#book, memory }, event, index);
        return 'mine';
      }
      case 'async':
        this.#event(event.event, index, event.t);
        return 'shared';
      case 'link':
        if (!event.up) this.#loseSight('the link was down');
        return 'shared';
      case 'gap':
        this.#loseSight(event.reason);
        return 'shared';
      case 'settled':
        for (const pair of this.#pairs.values()) pair.settle(event.t);
        return 'shared';
      case 'call':
      case 'call-failed':
      case 'frame':
      case 'stall':
      case 'rate':
      case 'gone':
      case 'hop':
        return 'shared';
    }
  }

  #event({ event_type: type, qp_num: number }: AsyncEvent, index: number, t: number): void {
    if (requestEvents.has(type)) this.#byNumber(number)?.receiver.complained(type, index, t);
    if (fatalEvents.has(type)) this.#loseSight(type);
  }

  #loseSight(why: string): void {
    for (const pair of this.#pairs.values()) pair.loseSight(why);
  }

  #packet({ packet, direction, t }: PacketEvent, index: number): Claim {
    const addresses = this.#header.dut?.addresses;
    const inbound = direction === 'unknown' ? addresses?.includes(packet.dstIp) : direction === 'to-dut';
    return inbound === true ? this.#arrived(packet, index) : this.#sent(packet, index, t);
  }

  #arrived(packet: Packet, index: number): Claim {
    const pair = this.#byNumber(packet.destQp);
    if (pair !== undefined) {
      pair.receiver.packet(packet, index);
      this.#ledger.packets++;
      return 'mine';
    }
    const service = serviceOf(packet);
    if (service === undefined || this.#objects.byNumber(packet.destQp)?.kind === 'RC') return 'shared';
    this.#stray(service, packet);
    if (this.#objects.has('RC')) return 'shared';
    this.#ledger.packets++;
    return 'mine';
  }

  #sent(packet: Packet, index: number, t: number): Claim {
    const pair = this.#senderOf(packet);
    if (pair === undefined) return 'shared';
    this.#ledger.packets++;
    if (isResponse(packet.opcode)) pair.receiver.answered(packet, index, t);
    else if (packet.info?.service !== 'CNP') {
      const { memory } = pair.receiver.state;
      const address = (ah: number | undefined): string | undefined =>
        ah === undefined ? undefined : this.#objects.addressOf(ah);
      pair.sender.sent(packet, { address, memory }, index, t);
    }
    return 'mine';
  }

  /** A packet to a QP number that the device does not have. */
  #stray(service: UnreliableService, packet: Packet): void {
    const facts = admissionFacts(service, undefined, undefined, packet);
    const { rule } = this.#book.only(tableOf(service, 'admission'), facts);
    for (const { receiver } of this.#pairs.values()) receiver.stray(packet, rule);
  }

  /** The QP that the packet comes from. Of the only QP of a device, whatever it looks like. */
  #senderOf(packet: Packet): UnreliablePair | undefined {
    const found = this.#byNumber(packet.deth?.srcQp);
    if (found !== undefined) return found;
    const [only, second] = [...this.#pairs.values()];
    if (only !== undefined && second === undefined && !this.#objects.has('RC')) return only;
    const service = serviceOf(packet);
    for (const pair of this.#pairs.values())
      if (pair.qp.peerQpNumber === packet.destQp && pair.qp.kind === service) return pair;
    return undefined;
  }

  created(qp: Qp): void {
    const { sight, clock } = this.#header;
    if (isUnreliable(qp)) {
      if (sight.packets === 'at-device' && sight.verbs)
        this.#pairs.set(
          qp,
          new UnreliablePair(
            qp,
            new RuleBook(this.#tables, this.#ledger, { qp: qp.name }),
            clock !== 'virtual',
          ),
        );
      else this.#book.skip(`QPs of type ${qp.type}`);
    }
    if ((qp.srq?.users ?? 0) > 1)
      for (const { receiver } of this.#on(qp.srq)) receiver.loseSight('an SRQ with several QPs');
  }

  #on(srq: Srq | undefined): UnreliablePair[] {
    return [...(srq?.qps ?? [])].flatMap((qp) => this.#pairs.get(qp) ?? []);
  }

  destroyed(qp: Qp): void {
    this.#pairs.delete(qp);
  }

  sharedPosted(srq: Srq): void {
    for (const { receiver } of this.#on(srq)) receiver.posted();
  }

  receivePosted(qp: Qp, _wr: RecvWr): void {
    this.#pairs.get(qp)?.receiver.posted();
  }

  sendPosted(qp: Qp, send: PostedSend): void {
    this.#pairs.get(qp)?.sender.post(send, this.#objects.port?.active_mtu);
  }

  modified(qp: Qp, change: QpChange): void {
    this.#pairs.get(qp)?.modified(change);
  }

  queried(qp: Qp, attr: QpAttr, when: When): void {
    const pair = this.#pairs.get(qp);
    if (pair !== undefined) judgeUnreliableState(pair, this.#book, attr, when);
  }

  written(): void {
    for (const { receiver, sender } of this.#pairs.values()) {
      if (receiver.unsettled) receiver.loseSight('memory written by software while packets were under way');
      sender.written();
    }
  }

  deregistered(): void {
    for (const { receiver, sender } of this.#pairs.values()) {
      if (receiver.unsettled) receiver.loseSight('dereg_mr while packets were under way');
      sender.uncertain();
    }
  }
}

function serviceOf(packet: Packet): UnreliableService | undefined {
  const bits = packet.opcode >> 5;
  return bits === 1 ? 'UC' : bits === 3 ? 'UD' : undefined;
}
