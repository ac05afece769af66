import type { AsyncEvent, QpAttr, RecvWr } from '../../spec/verbs.ts';
import { doubtfulRegion } from '../device/objects/reregistration.ts';
import { hasTooMany, tooManyElements } from '../device/queues/too-many-elements.ts';
import { loseSight } from '../device/fatal-events.ts';
import { FormerLife } from '../device/former-life.ts';
import { Link } from '../device/objects/link.ts';
import type { QpChange, Reregistered } from '../device/listener.ts';
import type { Region } from '../device/memory.ts';
import type { Objects } from '../device/objects.ts';
import type { Claim, Observer } from '../device/observer.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import type { Qp, Srq } from '../device/qp.ts';
import { requestErrors } from '../event-word.ts';
import type { Stalls } from '../device/stalls.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { UnreliablePackets } from './packets.ts';
import { UnreliablePair } from './pair.ts';
import { isUnreliable } from './qp.ts';
import { judgeUnreliableMemory, judgeUnreliableState, mayWrite } from './read-back.ts';
import type { UnreliableBook, UnreliableRules } from './tables.ts';

/** Judges the UC and UD QPs of a device whose packets are all seen. Verbs calls must be in the trace. */
export class UnreliableQps implements Observer {
  readonly #rules: UnreliableRules;
  readonly #ledger: Ledger;
  /** of all QPs */
  readonly #book: UnreliableBook;
  readonly #objects: Objects;
  readonly #header: TraceHeader;
  readonly #link: Link;
  readonly #stalls: Stalls;
  readonly #pairs = new Map<Qp, UnreliablePair>();
  readonly #packets: UnreliablePackets;
  /** of QPs that were destroyed, as long as it is not certain what they did to memory */
  #gone: UnreliablePair[] = [];

  constructor(header: TraceHeader, rules: UnreliableRules, ledger: Ledger, objects: Objects, stalls: Stalls) {
    this.#header = header;
    this.#link = new Link(header);
    this.#rules = rules;
    this.#ledger = ledger;
    this.#book = new MachineBook(rules, ledger);
    this.#objects = objects;
    this.#stalls = stalls;
    this.#packets = new UnreliablePackets(header, this.#book, {
      objects,
      pairs: this.#pairs,
      link: this.#link,
    });
  }

  see(event: TraceEvent, index: number): Claim {
    if (this.#pairs.size === 0 && this.#gone.length === 0) return 'shared';
    switch (event.kind) {
      case 'packet':
        return this.#packets.see(event, index);
      case 'completion': {
        const pair = this.#packets.byNumber(event.wc.qp_num);
        pair?.completion(event.wc, event.cq, { event: index, t: event.t });
        return pair === undefined ? 'shared' : 'mine';
      }
      case 'memory': {
        const pairs = [...this.#pairs.values(), ...this.#gone];
        const { memory } = this.#objects;
        if (this.#objects.hasHad('RC') && !mayWrite(pairs, memory.regions.get(event.mr))) return 'shared';
        judgeUnreliableMemory({ pairs, book: this.#book, memory }, event, index);
        return 'mine';
      }
      case 'async':
        this.#complaint(event.event, { event: index, t: event.t });
        return this.#loseSight(event);
      case 'link':
        return this.#changeLink(event.up);
      case 'gap':
        return this.#loseSight(event);
      case 'settled':
        for (const pair of this.#pairs.values()) pair.settle(event.t);
        for (const pair of this.#gone) pair.settle(event.t);
        this.#gone = this.#gone.filter((pair) => pair.writes);
        return 'shared';
      case 'call':
      case 'call-failed':
      case 'frame':
      case 'stall':
      case 'gid':
      case 'rate':
      case 'gone':
      case 'cq-event':
      case 'second-context':
      case 'hop':
        return 'shared';
    }
  }

  #complaint({ event_type: type, qp_num: number }: AsyncEvent, when: When): void {
    if (requestErrors.has(type)) this.#packets.byNumber(number)?.receiver.complained(type, when);
  }

  #changeLink(up: boolean): Claim {
    this.#link.up = up;
    for (const pair of this.#pairs.values()) pair.changeLink(up);
    return 'shared';
  }

  #loseSight(event: TraceEvent): Claim {
    loseSight(event, this.#pairs.values());
    return 'shared';
  }

  created(qp: Qp): void {
    const { sight, clock, timing } = this.#header;
    if (isUnreliable(qp)) {
      if (sight.packets === 'at-device' && sight.verbs) {
        const jitter = timing?.jitter ?? 0;
        const book = new MachineBook(this.#rules, this.#ledger, { qp: qp.name });
        const former = new FormerLife((t) => this.#stalls.earliestDeparture(t, jitter));
        const skewed = clock !== 'virtual' || jitter > 0;
        this.#pairs.set(qp, new UnreliablePair(qp, book, { skewed, former }));
      } else this.#book.skip(`QPs of type ${qp.type}`);
    }
    const own = this.#pairs.get(qp);
    if (own !== undefined) qp.srq?.takers.watch(qp, own.receiver);
    if (qp.contested !== undefined) for (const { receiver } of this.#on(qp.srq)) receiver.share();
  }

  #on(srq: Srq | undefined): UnreliablePair[] {
    return [...(srq?.qps ?? [])].flatMap((qp) => this.#pairs.get(qp) ?? []);
  }

  /** What was under way ends as with RESET. */
  destroyed(qp: Qp, when: When): void {
    const pair = this.#pairs.get(qp);
    if (pair === undefined) return;
    pair.modified({ attr: { qp_state: 'IBV_QPS_RESET' }, from: qp.state, to: 'RESET' }, when);
    this.#pairs.delete(qp);
    if (pair.writes) this.#gone.push(pair);
  }

  sharedPosted(srq: Srq, wr: RecvWr): void {
    for (const { receiver } of this.#on(srq)) this.#receivePosted(receiver, hasTooMany(wr, srq));
  }

  receivePosted(qp: Qp, wr: RecvWr): void {
    const { receiver } = this.#pairs.get(qp) ?? {};
    if (receiver !== undefined && qp.srq === undefined) this.#receivePosted(receiver, hasTooMany(wr, qp));
  }

  #receivePosted(receiver: UnreliablePair['receiver'], tooMany: boolean): void {
    receiver.posted();
    if (!tooMany || receiver.lost) return;
    this.#ledger.skip(tooManyElements);
    receiver.lost = true;
  }

  sendPosted(qp: Qp, send: PostedSend): void {
    const sender = this.#pairs.get(qp)?.sender;
    if (!this.#link.up) sender?.darken();
    sender?.post(send, this.#objects.port?.active_mtu);
  }

  localPosted(qp: Qp): void {
    this.#pairs.get(qp)?.sender.leaveOut('work requests that send nothing');
  }

  modified(qp: Qp, change: QpChange, when: When): void {
    this.#pairs.get(qp)?.modified(change, when);
  }

  queried(qp: Qp, attr: QpAttr, when: When): void {
    const pair = this.#pairs.get(qp);
    if (pair !== undefined) judgeUnreliableState(pair, this.#book, attr, when);
  }

  written({ pd }: Region): void {
    for (const { qp, receiver, sender } of this.#pairs.values()) {
      if (!qp.reaches(pd)) continue;
      if (receiver.unsettled) receiver.loseSight('memory written by software while packets were under way');
      sender.step('written');
    }
  }

  deregistered({ pd }: Region): void {
    for (const { qp, receiver, sender } of this.#pairs.values()) {
      if (!qp.reaches(pd)) continue;
      if (receiver.unsettled) receiver.loseSight('dereg_mr while packets were under way');
      sender.step('deregistered');
    }
  }

  reregistered(_region: Region, { pds, certain }: Reregistered): void {
    if (!certain) this.#ledger.skip(doubtfulRegion);
    for (const { qp, receiver, sender } of this.#pairs.values()) {
      if (!pds.some((pd) => qp.reaches(pd))) continue;
      if (!certain) receiver.lost = sender.lost = true;
      else if (receiver.unsettled) receiver.loseSight('rereg_mr while packets were under way');
      sender.step('deregistered');
    }
  }
}
