import type { AsyncEvent, QpAttr, SendWr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { Link } from '../device/objects/link.ts';
import type { Objects } from '../device/objects.ts';
import { serviceOf, type Qp } from '../device/qp.ts';
import type { When } from '../spot.ts';
import { asksWithoutPath } from '../path-migration/tables.ts';
import type { OutageRules } from '../outage/machine.ts';
import { Outages } from '../outage/outages.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { TraceHeader } from '../trace.ts';
import type { ReliablePair } from './pair.ts';
import type { ReliablePairs } from './pairs.ts';

/** What happens to RC QPs with unknown consequences: the QP is no longer judged, and the ledger says why. */
export class Losses {
  readonly #ledger: Ledger;
  readonly #objects: Objects;
  readonly #pairs: ReliablePairs;
  /** requesters of which something is still known */
  readonly outages: Outages;
  readonly #link: Link;

  constructor(
    header: TraceHeader,
    rules: OutageRules,
    { ledger, objects, pairs }: { ledger: Ledger; objects: Objects; pairs: ReliablePairs },
  ) {
    this.#link = new Link(header);
    this.outages = new Outages(rules, ledger);
    this.#ledger = ledger;
    this.#objects = objects;
    this.#pairs = pairs;
  }

  get linkUp(): boolean {
    return this.#link.up;
  }

  /** Whether nothing that is sent to the port reaches it. */
  get deaf(): boolean {
    return this.#link.surelyDown;
  }

  /** `start`: when the call was made that has changed the link. */
  link({ up, start, t }: { up: boolean; start: number; t: number }): void {
    this.#link.up = up;
    this.outages.link(up, t);
    for (const pair of this.#pairs.all.values()) this.withoutLink(pair, start);
  }

  /**
   * What a QP sends while the link is down is lost unseen: what became of a QP that has something to send is unknown, but
   * only what its requester owes in the end. `t`: since when, at the earliest, if that is known.
   */
  withoutLink(pair: ReliablePair | undefined, t: number | undefined): void {
    if (this.#link.up || pair?.sending !== true) return;
    if (t !== undefined && pair.requester?.busy === true) this.outages.begin(pair.qp, pair.requester, t);
    const wait = pair.rnrWait;
    if (t !== undefined && pair.requester !== undefined && wait !== undefined)
      this.outages.beginWait(pair.qp, pair.requester, wait);
    this.#ledger.skip('a QP that had something to send while the link was down');
    pair.giveUp();
  }

  /** A packet that was sent to a port without a link never came; where times are not exact, it may have come just before. */
  intoNothing({ destQp }: Packet): void {
    this.#ledger.packets++;
    if (this.deaf) return;
    const pair = this.#pairs.byNumber(destQp);
    if (pair === undefined) return;
    this.#ledger.skip('a QP that a packet was sent to while the link was down');
    pair.giveUp();
  }

  /**
   * Of a CQ in error no completion is due, and it is unknown what became of the work requests; an SRQ in error fails its QPs. A QP that
   * has failed by itself owes nothing either.
   */
  failed({ cq, srq, qp_num: number, event_type: type }: AsyncEvent): void {
    if (type === 'IBV_EVENT_QP_FATAL') this.#forGood(this.#pairs.byNumber(number));
    if (type === 'IBV_EVENT_CQ_ERR' && cq !== undefined) this.#withoutQueue(this.#objects.cq(cq)?.qps, 'CQ');
    if (type === 'IBV_EVENT_SRQ_ERR' && srq !== undefined)
      this.#withoutQueue(this.#objects.srq(srq)?.qps, 'SRQ');
  }

  #forGood(pair: ReliablePair | undefined): void {
    if (pair === undefined) return;
    this.#ledger.skip('a QP behind IBV_EVENT_QP_FATAL');
    pair.giveUp();
  }

  #withoutQueue(qps: Iterable<Qp> | undefined, queue: 'CQ' | 'SRQ'): void {
    for (const qp of qps ?? []) {
      if (serviceOf(qp) !== undefined) this.#ledger.skip(`a QP whose ${queue} is in error`);
      this.#pairs.of(qp)?.giveUp();
    }
  }

  /** A device may refuse to wait for its peer without an alternate path, or keep or change the state. */
  asked(pair: ReliablePair | undefined, attr: QpAttr): void {
    if (pair === undefined || !asksWithoutPath(pair.responder.state.migration, attr)) return;
    this.#ledger.skip('a QP that was to wait for its peer without an alternate path');
    pair.giveUp();
  }

  endsKey({ memory, pd }: Qp, { opcode, invalidate_rkey: rkey = 0 }: SendWr): void {
    if (opcode === 'IBV_WR_LOCAL_INV' && memory.windows.byRkey(rkey) === undefined) this.#giveUpDomain(pd);
  }

  /** Whether a SEND that reaches the device now may take away the key of a region. */
  mayEndRegion(packet: Packet, when: When): boolean {
    const { destQp, invalidateRkey: rkey, icrcOk } = packet;
    if (rkey === undefined || !icrcOk || this.deaf) return false;
    const pair = this.#pairs.byNumber(destQp);
    const { memory } = this.#objects;
    if (pair === undefined || memory.windows.byRkey(rkey) !== undefined) return false;
    const region = memory.byRkey(rkey);
    if (region?.alive !== true || region.pd !== pair.qp.pd) return false;
    return !this.#link.up || !pair.responder.leavesKey({ kind: 'request', ...when, packet });
  }

  /** A SEND has perhaps taken away the key of a region. */
  endsRegion({ destQp }: Packet): void {
    const { qp } = this.#pairs.byNumber(destQp) ?? {};
    if (qp === undefined) return;
    this.#ledger.skip('QPs of a PD of which a SEND may have invalidated a memory region');
    this.#giveUpDomain(qp.pd);
  }

  /** Whether the key of a region can be taken away, and what it opens then, is up to the device. */
  #giveUpDomain(pd: number): void {
    for (const pair of this.#pairs.all.values()) if (pair.qp.reaches(pd)) pair.giveUp();
  }
}
