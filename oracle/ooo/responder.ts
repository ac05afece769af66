import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Wc } from '../../spec/verbs.ts';
import { Arrivals } from './arrivals.ts';
import type { Arrival, DueReceive } from './arrivals.ts';
import type { OooDevice, OooResponderContext } from './context.ts';
import { overlaps } from './memory.ts';
import { placedPacket } from './packet.ts';
import type { PlacedPacket } from './packet.ts';
import { admissionFacts, bufferOf, destination, faultOf } from './qp.ts';
import type { Qp } from '../device/qp.ts';
import type { Decision } from '../rulebook/tables.ts';
import type { OooBook } from './tables.ts';
import { demanding, outcomeWord, outcomeWords } from '../rulebook/outcome.ts';
import type { Outcome, Rule } from '../rules.ts';
import { keep } from '../device/keep.ts';
import type { When } from '../spot.ts';
import { OwedReplies } from './pending.ts';
import type { OwedReply } from './pending.ts';
import { Replies } from './replies.ts';
import { Executions } from './executions.ts';
import { ReceiveCompletions } from './receives.ts';

const droppedKept = 64;

/**
 * Judges what an out-of-order QP does as responder. It places packets as they come, which leaves one way to follow; where the
 * documents leave faults to RC, it is not followed further.
 */
export class OutOfOrderResponder {
  readonly context: OooResponderContext;
  lost = false;
  /** a NAK has ended it, or is to */
  failed = false;
  readonly #replies: Replies;
  readonly #executions: Executions;
  readonly #receives: ReceiveCompletions;
  #unsettled = false;

  constructor(qp: Qp, device: OooDevice, book: OooBook) {
    const owed = new OwedReplies();
    this.context = {
      qp,
      device,
      firstReceive: 0,
      book,
      owed,
      arrivals: new Arrivals(0),
      dropped: [],
    };
    this.#executions = new Executions(this.context);
    this.#replies = new Replies(this.context, this.#executions);
    this.#receives = new ReceiveCompletions(this.context);
  }

  /** Packets have come since the device last had time to settle. */
  get unsettled(): boolean {
    return this.#unsettled;
  }

  /** Whether any packet has come since it began. */
  get reached(): boolean {
    const { next, window } = this.context.arrivals;
    return next > 0 || window.size > 0;
  }

  get window(): number {
    return this.context.device.profile?.window ?? 0x800000;
  }

  /** The QP begins anew: this PSN is expected. */
  start(psn: number): void {
    const { context } = this;
    context.arrivals = new Arrivals(psn);
    context.owed.forget();
    context.dropped = [];
    context.device.placements.beginAnew(context.qp.memory.regions.values());
    this.#executions.forget();
    this.#receives.forget();
    this.failed = false;
  }

  packet(packet: Packet, when: When): void {
    if (this.lost || this.failed) return;
    this.#unsettled = true;
    const { book, qp } = this.context;
    const admission = book.only('responder-admission', admissionFacts(qp, packet));
    if (!goesOn(admission)) return this.#drop(admission, packet, undefined, when);
    const placed = placedPacket(packet);
    if (placed === undefined) return this.#leave('packets that are no requests of an out-of-order QP');
    this.#arrive(placed, when);
  }

  #arrive(placed: PlacedPacket, when: When): void {
    const { book, qp, device, arrivals } = this.context;
    const psn = arrivals.psns.near(placed.packet.psn, arrivals.next);
    const arrival = book.only('responder-arrival', { track: arrivals.track(psn, this.window) });
    const next = outcomeWord(arrival.outcome, 'next');
    if (next === undefined) return this.#drop(arrival, placed.packet, placed, when);
    if (next === 'ooo-responder-duplicate') return this.#again(placed, psn, when);
    const early = psn !== arrivals.next;
    const turn = early ? 'early' : 'next';
    const wqe = this.#receiveOf(placed);
    const match = book.only('responder-match', this.#matchFacts(placed, turn, wqe));
    if (!goesOn(match)) return this.#drop(match, placed.packet, placed, when, psn);
    const placedFault = faultOf(qp, placed, wqe);
    const check = book.only('responder-check', { turn, placedFault });
    if (placedFault === 'other') return this.#leave('faults on out-of-order QPs other than those of access');
    if (!goesOn(check)) {
      this.#drop(check, placed.packet, placed, when, psn);
      // what fits of it may have been placed before the rest was looked at
      if (placedFault === 'too-long' || placedFault === 'receive-memory')
        device.placements.leaveOpen(destination(qp, placed, wqe), psn);
      const statuses = outcomeWords(check.outcome, 'status');
      if (statuses.length > 0 && wqe !== undefined)
        this.#receives.refuse({ wqe, statuses, rule: check.rule, event: when.event });
      return;
    }
    this.#keep(placed, psn, wqe, when);
  }

  /** Index of the receive WQE with the number that the packet carries, if it is posted. */
  #receiveOf({ work, receiveNumber }: PlacedPacket): number | undefined {
    const { qp, arrivals, firstReceive } = this.context;
    if ((work !== 'send' && work !== 'write-immediate') || receiveNumber === undefined) return undefined;
    const distance = ((receiveNumber - (arrivals.consumed & 0xffffff)) << 8) >> 8;
    const index = firstReceive + arrivals.consumed + distance;
    return index < qp.posted.length && distance >= 0 ? index : undefined;
  }

  #matchFacts(placed: PlacedPacket, turn: string, wqe: number | undefined): Record<string, string> {
    const { qp, device, arrivals } = this.context;
    const { work, readNumber } = placed;
    const takes = work === 'send' || work === 'write-immediate';
    const fetches = work === 'read' || work === 'atomic';
    const distance = (((readNumber ?? 0) - (arrivals.reads & 0xffffff)) << 8) >> 8;
    const own = distance >= 0 && distance < (qp.maxDestRdAtomic ?? 0);
    return {
      turn,
      numberedReceive: !takes ? 'not-needed' : wqe === undefined ? 'unposted' : 'posted',
      readSlot: !fetches ? 'not-needed' : own ? 'own' : 'outside',
      fencing: device.profile?.fence ?? 'application',
      overlap: work === 'send' && this.#meetsOlder(placed, wqe) ? 'older' : 'none',
    };
  }

  /** Whether the buffer of the receive WQE is in part that of an older one whose message is not complete. */
  #meetsOlder(placed: PlacedPacket, wqe: number | undefined): boolean {
    const { qp, arrivals, firstReceive } = this.context;
    if (wqe === undefined) return false;
    const own = bufferOf(qp, wqe);
    for (let older = firstReceive + arrivals.consumed; older < wqe; older++)
      if (overlaps(own, bufferOf(qp, older))) return true;
    return false;
  }

  #drop(by: Decision, packet: Packet, placed: PlacedPacket | undefined, when: When, psn?: number): void {
    const { qp, device, owed, dropped } = this.context;
    const spans = placed === undefined ? [] : destination(qp, placed, this.#receiveOf(placed));
    if (placed?.work !== 'read') device.placements.mark(spans, 'refused');
    keep(dropped, { rule: by.rule, packet, spans }, droppedKept);
    const reply = outcomeWord(by.outcome, 'reply') ?? 'none';
    if (reply === 'none') return;
    const counted = psn ?? this.context.arrivals.psns.near(packet.psn, this.context.arrivals.next);
    const nakCodes = by.rule.outcomes.flatMap((outcome) => outcomeWords(outcome, 'nakCode'));
    owed.add({ ...owedOf(reply, by.rule, when), psn: counted, nakCodes });
    if (outcomeWord(by.outcome, 'qp') === 'error') this.failed = true;
  }

  /** A packet that has arrived before. */
  #again(placed: PlacedPacket, psn: number, when: When): void {
    const { book, qp, device, arrivals, owed } = this.context;
    const { placements } = device;
    const { work } = placed;
    const kept = this.#executions.record(psn);
    const fetches = work === 'read' || work === 'atomic';
    const record = !fetches
      ? 'not-needed'
      : psn >= arrivals.next
        ? 'waiting'
        : kept === undefined || kept.arrival.placed.work !== work
          ? 'evicted'
          : 'kept';
    const found = book.only('responder-duplicate', { placedWork: work, repeatRecord: record });
    const { rule, outcome } = found;
    const before = arrivals.window.get(psn);
    const wqe = work === 'send' ? before?.wqe : undefined;
    if (!fetches) placements.mark(destination(qp, placed, wqe), 'repeated');
    const reply = outcomeWord(outcome, 'reply');
    if (rule.outcomes.length > 1) return this.#executions.leaveOpen(psn);
    if (reply === 'read-response' && faultOf(qp, placed, undefined) !== 'none')
      return this.#leave('duplicates of READs whose R_Key grants nothing any more');
    if (reply === 'read-response' || reply === 'atomic-ack') {
      if (kept !== undefined)
        this.#executions.ask(kept, rule, outcomeWord(outcome, 'value') === 'recorded', when);
      if (work === 'atomic' && kept !== undefined) placements.mark(kept.arrival.spans, 'repeated');
      return;
    }
    if (outcomeWord(outcome, 'next') === undefined) {
      if (reply !== undefined && reply !== 'none') owed.add({ ...owedOf(reply, rule, when), psn });
      return;
    }
    const ackReq = placed.packet.ackReq ? 'set' : 'clear';
    this.#oweAck(book.only('responder-acknowledge', { coming: 'again', ackReq }), psn, when);
  }

  #oweAck({ rule, outcome }: Decision, psn: number, when: When): void {
    const reply = outcomeWord(outcome, 'reply') ?? 'none';
    if (reply === 'none') return;
    const selective = outcomeWord(outcome, 'selective') === 'names';
    const optional = outcomeWord(outcome, 'due') === 'optional';
    this.context.owed.add({ ...owedOf(reply, rule, when), psn, selective, optional });
  }

  #keep(placed: PlacedPacket, psn: number, wqe: number | undefined, when: When): void {
    const { book, qp, device, arrivals } = this.context;
    const { rule, outcome } = book.only('responder-place', { placedWork: placed.work });
    const placement = outcomeWord(outcome, 'placement');
    const spans = destination(qp, placed, wqe);
    const arrival: Arrival = { placed, psn, wqe, spans, event: when.event };
    const own = placed.work === 'send' ? 'buffer' : 'target';
    if (placement === 'slot') this.#executions.hold(arrival, rule);
    else if (placement === own) device.placements.place(spans, placed.packet.payload, psn, 'arriving');
    arrivals.window.set(psn, arrival);
    const early = psn !== arrivals.next;
    const filling = !early && arrivals.window.size > 1;
    if (early && placed.ends && wqe !== undefined)
      book.decide('responder-completion', { placedCompletion: 'premature' });
    if (early && (placed.work === 'read' || placed.work === 'atomic'))
      book.decide('responder-answer', { answered: 'waiting' });
    this.#advance(when);
    const coming = early ? 'early' : filling ? 'filling' : 'in-order';
    const ackReq = placed.packet.ackReq ? 'set' : 'clear';
    const answers = !early && (placed.work === 'read' || placed.work === 'atomic');
    // what is answered is acknowledged by that
    if (answers && coming !== 'filling') return;
    this.#oweAck(book.only('responder-acknowledge', { coming, ackReq }), psn, when);
  }

  /** While the next packet has arrived, it has its turn. */
  #advance(when: When): void {
    const { book, arrivals } = this.context;
    for (let one = arrivals.window.get(arrivals.next); one; one = arrivals.window.get(arrivals.next)) {
      arrivals.window.delete(arrivals.next);
      arrivals.next++;
      arrivals.message.push(one);
      const { work, ends } = one.placed;
      if (
        (work === 'read' || work === 'atomic') &&
        faultOf(this.context.qp, one.placed, undefined) !== 'none'
      )
        return this.#leave('READs and ATOMICs whose R_Key was invalidated while they waited');
      const { rule, outcome } = book.only('responder-turn', {
        placedWork: work,
        ends: ends ? 'last' : 'more',
      });
      if (outcomeWord(outcome, 'msn') === 'increment') arrivals.msn = (arrivals.msn + 1) & 0xffffff;
      if (ends) this.#complete(one, rule, outcome, when);
    }
    arrivals.stands();
  }

  #complete(last: Arrival, rule: Rule, outcome: Outcome, when: When): void {
    const { device, arrivals, firstReceive } = this.context;
    const { placed } = last;
    const [first = last] = arrivals.message;
    for (const { spans } of arrivals.message) device.placements.complete(spans, first.psn, last.psn);
    arrivals.message = [];
    const reply = outcomeWord(outcome, 'reply') ?? 'none';
    if (this.#executions.holding(last.psn) !== undefined)
      this.#executions.execute(
        last,
        rule,
        { answered: reply !== 'none', modifies: outcomeWord(outcome, 'memory') === 'modify' },
        when,
      );
    const key = placed.packet.invalidateRkey;
    if (outcomeWord(outcome, 'invalidation') === 'named' && key !== undefined) this.#invalidate(key);
    if (last.wqe !== undefined) arrivals.consumed = last.wqe - firstReceive + 1;
    if (outcomeWord(outcome, 'completion') !== 'message' || last.wqe === undefined) return;
    const due: DueReceive = {
      wqe: last.wqe,
      length: placed.offset + placed.length,
      immediate: placed.packet.immediate,
      invalidated: placed.packet.invalidateRkey,
      opcode: placed.work === 'send' ? 'IBV_WC_RECV' : 'IBV_WC_RECV_RDMA_WITH_IMM',
      event: when.event,
    };
    this.#receives.owe(due, rule);
  }

  #invalidate(rkey: number): void {
    const { qp } = this.context;
    const region = qp.memory.byRkey(rkey);
    if (region?.alive === true && region.pd === qp.pd) region.alive = false;
    else this.#leave('SENDs that invalidate what is no R_Key of their PD');
  }

  /** What follows is not decided. */
  #leave(why: string): void {
    this.context.book.skip(why);
    this.lost = true;
  }

  /** A response that the device sent. */
  replied(packet: Packet, when: When): void {
    if (this.lost) return;
    if (!this.#replies.judge(packet, when)) this.lost = true;
  }

  completion(wc: Wc, when: When): void {
    if (this.lost) return;
    if (this.failed) this.#receives.refused(wc, when);
    // what else becomes of the receive queue of a QP in ERR is told by the rules of flushes
    if (this.failed || this.context.qp.state === 'ERR' || wc.status !== 'IBV_WC_SUCCESS') {
      if (!this.failed && this.context.qp.state !== 'ERR') this.lost = true;
      return;
    }
    if (!this.#receives.judge(wc, when)) this.lost = true;
  }

  /** Everything due has had its time. */
  settle(t: number): void {
    if (this.lost) return;
    const { book, owed, qp } = this.context;
    if (qp.state === 'ERR' && !this.failed) return;
    const missing = owed.settle() ?? this.#executions.settle();
    if (missing !== undefined) {
      book.violate(missing.rule, { event: missing.event, t }, wordOf(missing), 'nothing');
      this.lost = true;
      return;
    }
    if (this.failed) this.#receives.settleRefused(t);
    else if (!this.#receives.settle(t)) this.lost = true;
    if (this.#unsettled) {
      book.decide('responder-answer', { answered: 'unasked' });
      book.decide('responder-completion', { placedCompletion: 'undue' });
      book.exercise(
        [
          demanding(book.ask('responder-response', { placedReply: 'sequence-nak' }), 'mustAnswer', 'request'),
        ].filter((rule) => rule !== undefined),
      );
    }
    this.#unsettled = false;
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.context.book.doubt(why);
    this.lost = true;
  }

  /** A packet that the device sent and that nobody can place. */
  strange(packet: Packet): void {
    this.context.book.skip(`packets of an out-of-order QP such as ${describe(packet)}`);
    this.lost = true;
  }
}

function goesOn({ outcome }: Decision): boolean {
  return outcomeWord(outcome, 'next') !== undefined;
}

function owedOf(reply: string, rule: Rule, { event }: When): OwedReply {
  const kind =
    reply === 'nak' || reply === 'rnr-nak' || reply === 'read-response' || reply === 'atomic-ack'
      ? reply
      : 'ack';
  return { kind, psn: 0, selective: false, optional: false, nakCodes: [], rule, event };
}

const words: Readonly<Record<OwedReply['kind'], string>> = {
  ack: 'an Acknowledge',
  nak: 'a NAK',
  'rnr-nak': 'an RNR NAK',
  'read-response': 'all READ responses',
  'atomic-ack': 'an ATOMIC Acknowledge',
};

function wordOf({ kind, selective }: OwedReply): string {
  return selective ? 'an Acknowledge that names the packet' : words[kind];
}
