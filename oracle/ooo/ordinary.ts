import { forgetOldest } from '../forget-oldest.ts';
import type { RecvWr, Wc } from '../../spec/verbs.ts';
import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { Counter } from './packet.ts';
import type { OooBook } from './registers.ts';
import { requestShape } from '../device/packet/opcode-shape.ts';
import { packetsOf } from '../packets-of.ts';
import { demanding, outcomeWord } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';

/** Packets that were delivered with one PSN; a device took one of them at most. */
interface Delivered {
  /** PSNs that it stands for, those of READ responses included */
  span: number;
  /** it ends a message that consumes a receive WQE */
  consumes: boolean;
  fetches: boolean;
}

const windowLimit = 4096;

/**
 * Holds an ordinary RC QP to what must be seen of every one, in whatever order packets reach it: no receive completion and no
 * answer to a READ or ATOMIC while a packet in front has never been delivered, and completions in the order of posting. What
 * it makes of the packets in between is for the rules of RC; a packet counts as delivered whether or not the device took it.
 */
export class OrdinaryOrder {
  readonly #book: OooBook;
  #psns: Counter | undefined;
  #next = 0;
  #window = new Map<number, Delivered>();
  /** the newest behind `next`, for answers that come late */
  #behind = new Map<number, Delivered>();
  #pmtu = 0;
  /** messages that consume a receive WQE and that have been delivered whole, less those completed */
  #whole = 0;
  #posted: RecvWr[] = [];
  /** packets have come since everything was last at rest */
  #unsettled = false;
  #lost = false;

  constructor(book: OooBook) {
    this.#book = book;
  }

  /** Software has set the QP up anew. Packets that came just before may count in the life that follows. */
  start(psn: number, pmtu: number): void {
    if (this.#unsettled) this.loseSight();
    this.#psns = new Counter(psn);
    this.#pmtu = pmtu;
    this.#next = 0;
    this.#window.clear();
    this.#behind.clear();
    this.#whole = 0;
  }

  /** ibv_modify_qp to RESET: the receive queue is empty again. */
  reset(): void {
    this.#posted = [];
    this.#psns = undefined;
  }

  post(wr: RecvWr): void {
    this.#posted.push(wr);
  }

  loseSight(): void {
    this.#lost = true;
  }

  settle(): void {
    this.#unsettled = false;
  }

  packet(packet: Packet): void {
    this.#unsettled = true;
    if (this.#psns === undefined || this.#lost || !packet.icrcOk) return;
    const { family, immediate, ends } = requestShape(packet.opcode);
    const psn = this.#psns.near(packet.psn, this.#next);
    const fetches = family === 'read' || family === 'atomic';
    const dmaLen = family === 'read' ? (packet.reth?.dmaLen ?? 0) : 0;
    const span = packetsOf(dmaLen, this.#pmtu);
    // where one reaches across much of the space of PSNs, nothing tells what is in front of what
    if (span > windowLimit) return this.loseSight();
    const consumes = ends && (family === 'send' || (family === 'write' && immediate));
    if (psn < this.#next) return this.#another(psn, { span, consumes, fetches });
    const early = psn > this.#next;
    if (early && consumes)
      this.#book.exercise(this.#sole(this.#book.ask('responder-completion', { arrivedMessage: 'part' })));
    if (early && fetches)
      this.#book.decide('responder-answer', { answered: 'waiting', olderReads: 'answered' });
    const known = this.#window.get(psn);
    this.#window.set(psn, {
      span: Math.max(span, known?.span ?? 1),
      consumes: consumes || known?.consumes === true,
      fetches: fetches || known?.fetches === true,
    });
    if (this.#window.size > windowLimit) this.#lost = true;
    this.#advance();
  }

  /** One more packet with a PSN that others had: it may be the one that the device took. */
  #another(psn: number, one: Delivered): void {
    if (one.consumes && this.#behind.get(psn)?.consumes !== true) {
      this.#whole++;
      this.#behind.set(psn, one);
    }
    this.#skip(psn + one.span);
    this.#advance();
  }

  /** What shares its PSN with a response stands for itself. */
  #skip(to: number): void {
    for (; this.#next < to; this.#next++) {
      if (this.#window.get(this.#next)?.consumes === true) this.#whole++;
      this.#window.delete(this.#next);
    }
  }

  #advance(): void {
    for (let one = this.#window.get(this.#next); one; one = this.#window.get(this.#next)) {
      this.#window.delete(this.#next);
      this.#behind.set(this.#next, one);
      forgetOldest(this.#behind, windowLimit);
      if (one.consumes) this.#whole++;
      const to = this.#next + one.span;
      this.#next++;
      this.#skip(to);
    }
  }

  /** Those of the rules that bind devices which place nothing out of order as well. */
  #sole<T extends { requires: readonly string[] }>(rules: readonly T[]): T[] {
    return rules.filter(({ requires }) => !requires.includes('ooo'));
  }

  completion(wc: Wc, when: When): void {
    if (this.#lost || this.#psns === undefined) return;
    const at = this.#posted.findIndex(({ wr_id }) => wr_id === wc.wr_id);
    if (at < 0) return;
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    const [first] = this.#posted;
    this.#posted.splice(at, 1);
    if (wc.status !== 'IBV_WC_SUCCESS') return;
    const due = this.#sole(this.#book.ask('responder-completion', { arrivedMessage: 'whole' }));
    const premature = this.#sole(this.#book.ask('responder-completion', { arrivedMessage: 'part' }));
    const undue = demanding(premature, 'mustCome', 'never');
    if (this.#whole <= 0 && undue !== undefined) {
      this.#book.exercise(premature);
      this.#book.violate(undue, when, 'no completion while packets are missing', seen);
      this.#lost = true;
      return;
    }
    this.#whole--;
    this.#book.exercise(due);
    const order = demanding(due, 'mustOrder', 'posting');
    if (at > 0) this.#book.violate(order, when, `completion of work request ${first?.wr_id ?? '?'}`, seen);
  }

  /** A READ response or ATOMIC Acknowledge that the device sent. */
  answered(packet: Packet, when: When): void {
    if (this.#lost || this.#psns === undefined) return;
    const psn = this.#psns.near(packet.psn, this.#next);
    if (psn < this.#next) return;
    for (const [from, { span, fetches }] of this.#window) {
      if (!fetches || psn < from || psn >= from + span) continue;
      const { rule, outcome } = this.#book.only('responder-answer', {
        answered: 'waiting',
        olderReads: 'answered',
      });
      if (outcomeWord(outcome, 'sends') === 'forbidden')
        this.#book.violate(rule, when, 'no answer before its turn', describe(packet));
      this.#lost = true;
      return;
    }
  }
}
