import type { Wc } from '../../spec/verbs.ts';
import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { unmetOf } from './demands.ts';
import type { PostedSend } from '../device/posted-send.ts';
import type { Qp } from '../device/qp.ts';
import type { OooDevice } from './context.ts';
import { isRefused } from './recovery.ts';
import { Sender } from './send-queue.ts';
import type { OooBook } from './tables.ts';
import { placedWorkOf } from './work.ts';
import type { SentWork } from './work.ts';
import { demanding, outcomeWord } from '../rulebook/outcome.ts';
import { completionOpcode } from '../device/send-queue.ts';
import { Failures } from './failures.ts';
import { Fences } from './fences.ts';
import { wrongAddressee, wrongHeader } from './header.ts';
import type { When } from '../spot.ts';
import { RetransmissionTimer } from './timer.ts';

/** Judges what an out-of-order QP does as requester. */
export class OutOfOrderRequester {
  readonly qp: Qp;
  readonly sender: Sender;
  lost = false;
  /** something has ended its work */
  failed = false;
  readonly #book: OooBook;
  readonly #timer: RetransmissionTimer;
  readonly #fences: Fences;
  readonly #failures: Failures;
  /** nanoseconds after which a response has been looked at */
  readonly #grace: number;
  #unsettled = false;

  constructor(qp: Qp, device: OooDevice, book: OooBook, grace: number) {
    this.#grace = grace;
    this.qp = qp;
    this.#book = book;
    this.sender = new Sender(qp, device, grace);
    this.#timer = new RetransmissionTimer(this.sender, book, grace);
    this.#fences = new Fences(this.sender, book);
    this.#failures = new Failures(this.sender, this.#timer, book, grace);
  }

  get unsettled(): boolean {
    return this.#unsettled;
  }

  /** What is sent is not judged: something has ended its work, or is to. */
  get #idle(): boolean {
    return this.lost || this.failed || this.qp.state !== 'RTS' || this.sender.refusal !== undefined;
  }

  start(psn: number): void {
    this.sender.start(psn);
    this.#failures.forget();
    this.failed = false;
  }

  post(send: PostedSend): void {
    if (this.lost) return;
    this.#unsettled = true;
    const work = this.sender.post(send);
    if (work.doubtful) this.leaveOut('faulty work requests of out-of-order QPs');
    if (this.qp.state !== 'RTS') this.leaveOut('work requests of out-of-order QPs outside RTS');
  }

  /** What follows is not decided, or not followed, for the reason given. */
  leaveOut(why: string): void {
    this.#book.skip(why);
    this.lost = true;
  }

  has(wrId: number): boolean {
    return this.sender.works.some(({ wr, completed }) => !completed && wr.wr_id === wrId);
  }

  /** Software has written to memory: what waits to be sent may have either content. */
  written(): void {
    for (const work of this.sender.works) if (work.inline === undefined) work.payloadOpen = true;
  }

  response(packet: Packet, when: When): void {
    if (this.lost || this.failed || this.qp.state !== 'RTS') return;
    this.#failures.watch(when.t);
    const { recovery } = this.sender;
    const about = [...this.sender.allOpen()].filter((psn, at) => this.#about(psn, at === 0, when.t));
    const lost = new Set(about.filter((psn) => recovery.lost(psn)));
    const taken = this.sender.take(packet, when.t);
    const open = new Set(this.sender.allOpen());
    // a READ or ATOMIC stays open when it is acknowledged, but no longer counts as lost
    for (const psn of about)
      if (!open.has(psn) || (lost.has(psn) && !recovery.lost(psn))) recovery.late(psn, when.t);
    if (taken === 'news') this.#timer.restart(when.t, true);
    this.#failures.taken(when.t);
    if (taken === 'failure') this.#failures.refusedBy(when.event);
    if (taken === 'strange') this.leaveOut('responses that fit no request of an out-of-order QP');
    this.sender.forget();
  }

  /** A packet that the device sent. */
  sent(packet: Packet, when: When): void {
    if (this.#idle) return;
    this.#unsettled = true;
    this.#failures.sent(when.t);
    const { sender } = this;
    const { recovery } = sender;
    const psn = sender.psns.near(packet.psn, recovery.next);
    const work = sender.find(psn);
    const step =
      psn > recovery.next
        ? 'skips'
        : work === undefined
          ? psn < recovery.next
            ? 'settled'
            : 'unposted'
          : psn === recovery.next
            ? 'next'
            : sender.open(psn, work) || this.#maySend(psn, work, when.t)
              ? 'open'
              : 'settled';
    const cause = step !== 'open' || work === undefined ? 'none' : this.#causeOf(psn, work, when);
    if (cause === undefined) return void (this.lost = true);
    const { rule, outcome } = this.#book.only('requester-place', { placedStep: step, resendCause: cause });
    if (outcomeWord(outcome, 'sends') === 'forbidden') {
      const wanted = step === 'skips' ? `PSN ${sender.psns.number(recovery.next)}` : 'no packet';
      this.#book.violate(rule, when, wanted, describe(packet));
      this.lost = true;
      return;
    }
    if (work === undefined) return;
    if (cause === 'loss' || cause === 'not-ready') this.#timer.perhaps(psn, when.t);
    if (step === 'next') this.#launch(work, psn, when);
    else recovery.resent.add(psn);
    if (step !== 'next') recovery.lateAcknowledged.delete(psn);
    // a packet that counts as lost and was refused as well has two reasons to be sent again
    if (cause !== 'loss')
      for (const refusal of recovery.refusals(when.t, this.#grace))
        if (when.t >= refusal.until) refusal.resent.add(psn);
    this.#demand(packet, work, psn - work.first, when);
    this.#timer.restart(when.t, false);
  }

  /** Whether the device may be about to send an open packet again. */
  #about(psn: number, oldest: boolean, t: number): boolean {
    const { recovery } = this.sender;
    if (recovery.lost(psn) && !recovery.resent.has(psn)) return true;
    const over = recovery.refusals(t, this.#grace).filter((one) => isRefused(one, psn) && t >= one.until);
    if (over.length > 0) return over.some(({ resent }) => !resent.has(psn));
    return oldest && !this.#timer.early(t);
  }

  /** Whether the packet was about to be sent again when it was acknowledged, which the device need not have looked at yet. */
  #onItsWay(psn: number, t: number): boolean {
    const since = this.sender.recovery.lateAcknowledged.get(psn);
    return since !== undefined && t - since <= this.#grace;
  }

  /** Whether a packet that is acknowledged may be sent again all the same. */
  #maySend(psn: number, work: SentWork, t: number): boolean {
    return this.#onItsWay(psn, t) || (this.sender.waits(work) && !this.#timer.early(t, true));
  }

  /** What allows to send an open packet again; `undefined` where the timer is to blame, which has been told. */
  #causeOf(psn: number, work: SentWork, when: When): string | undefined {
    const { recovery } = this.sender;
    if (!this.sender.open(psn, work)) {
      if (this.#onItsWay(psn, when.t)) return 'loss';
      return this.#timeoutOf(when);
    }
    const { refused } = recovery;
    if (recovery.lost(psn) && !recovery.resent.has(psn)) return 'loss';
    if (this.#onItsWay(psn, when.t)) return 'loss';
    for (const one of recovery.refusals(when.t, this.#grace))
      if (isRefused(one, psn) && when.t >= one.until && !one.resent.has(psn)) return 'not-ready';
    if (refused !== undefined && isRefused(refused, psn) && when.t < refused.timerFrom) return 'none';
    const oldest = this.sender.allOpen().next();
    if (oldest.done === true || oldest.value !== psn) return 'none';
    // one that was sent again already came too soon for whatever reason there was
    if (recovery.resent.has(psn) && this.#timer.early(when.t)) return 'none';
    return this.#timeoutOf(when);
  }

  #timeoutOf(when: When): 'timeout' | 'spent' | undefined {
    const spent = this.sender.counters.timeouts(when.t, this.qp.retryCnt) === 'yes';
    if (this.#timer.fire(when) === 'forbidden') return undefined;
    return spent ? 'spent' : 'timeout';
  }

  /** The first time that a packet leaves. */
  #launch(work: SentWork, psn: number, when: When): void {
    const { sender } = this;
    const { recovery } = sender;
    const cap = this.sender.device.profile?.cap;
    if (cap !== undefined) {
      const flight = psn - recovery.una >= cap ? 'full' : 'below';
      const { rule, outcome } = this.#book.only('requester-window', { flight });
      if (outcomeWord(outcome, 'sends') === 'forbidden')
        this.#book.violate(rule, when, `at most ${cap} packets under way`, `${psn - recovery.una + 1}`);
      if (flight === 'below' && psn - recovery.una === cap - 1)
        this.#book.decide('requester-window', { flight: 'full' });
    }
    if (psn === work.first)
      for (const { rule, missing } of this.#fences.before(work))
        if (missing !== undefined)
          this.#book.violate(
            rule,
            when,
            `work request ${missing} complete before ${work.wr.wr_id}`,
            'it is not',
          );
    recovery.next = psn + 1;
    recovery.reach(when.t - this.#grace);
  }

  #demand(packet: Packet, work: SentWork, n: number, when: When): void {
    const facts = { placedWork: placedWorkOf(work, n), ends: n === work.count - 1 ? 'last' : 'more' };
    const rules = this.#book.decide('requester-packet', facts);
    const header = wrongHeader(this.qp, packet);
    const addressee = wrongAddressee(this.qp, packet);
    if (header) this.#book.violate(demanding(rules, 'mustHeader', 'sound'), when, ...header);
    if (addressee) this.#book.violate(demanding(rules, 'mustAddressee', 'configured'), when, ...addressee);
    for (const { rule, expected, observed } of unmetOf(rules, {
      qp: this.qp,
      work,
      n,
      packet,
      placements: this.sender.device.placements,
    }))
      this.#book.violate(rule, when, expected, observed);
  }

  /** A completion of the send queue. */
  completion(wc: Wc, when: When): void {
    if (this.lost) return;
    const { works } = this.sender;
    const at = works.findIndex(({ wr, completed }) => !completed && wr.wr_id === wc.wr_id);
    const work = works[at];
    if (work === undefined) return this.#again(wc, when);
    if (this.failed || this.qp.state === 'ERR') return void (work.completed = true);
    if (wc.status !== 'IBV_WC_SUCCESS') {
      this.#failures.judge(work, wc, when);
      this.failed = true;
      this.sender.abandon();
      work.completed = true;
      return;
    }
    const earlier = works.slice(0, at);
    const retired = [...earlier, work].every((one) => this.sender.retired(one, 'either'));
    const skipped = earlier.some((one) => one.signaled && !one.completed);
    const retiredWork = !retired
      ? 'pending'
      : !work.signaled
        ? 'unasked'
        : skipped
          ? 'overtaking'
          : 'retired';
    const rules = this.#book.decide('requester-completion', { retiredWork });
    if (at < works.length - 1) this.#book.decide('requester-completion', { retiredWork: 'overtaking' });
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    const undue = demanding(rules, 'mustCome', 'never');
    work.completed = true;
    if (undue !== undefined) {
      this.#book.violate(undue, when, 'no completion', seen);
      this.lost = true;
      return;
    }
    const opcode = completionOpcode(work);
    const told = demanding(rules, 'mustOpcodeOf', 'request');
    if (wc.opcode !== undefined && wc.opcode !== opcode) this.#book.violate(told, when, opcode, wc.opcode);
    else if (this.sender.isFetch(work) && wc.byte_len !== undefined && wc.byte_len !== work.length)
      this.#book.violate(told, when, `byte_len ${work.length}`, `byte_len ${wc.byte_len}`);
  }

  /** A completion of a work request that has none to come. */
  #again(wc: Wc, when: When): void {
    if (!this.sender.works.some(({ wr }) => wr.wr_id === wc.wr_id)) return;
    const rules = this.#book.decide('requester-completion', { retiredWork: 'gone' });
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    this.#book.violate(demanding(rules, 'mustCome', 'never'), when, 'no further completion', seen);
    this.lost = true;
  }

  /** Everything due has had its time. */
  settle(when: When): void {
    if (this.lost) return;
    if (this.#unsettled && this.sender.works.some(({ completed }) => completed))
      this.#book.decide('requester-completion', { retiredWork: 'gone' });
    if (this.failed || this.qp.state !== 'RTS') return void (this.#unsettled = false);
    const sends = !this.#idle;
    if (sends) this.#timer.watch(when);
    if (sends && this.#unsettled && this.sender.recovery.next > 0) this.#kept();
    const done = this.#completed(when) && !this.#failures.owed(when);
    if (!done || (sends && !this.#nothingOwed(when))) this.lost = true;
    this.#unsettled = false;
  }

  #completed(when: When): boolean {
    for (const work of this.sender.works) {
      if (!this.sender.retired(work, 'both')) {
        if (this.#unsettled) this.#book.decide('requester-completion', { retiredWork: 'pending' });
        return true;
      }
      if (work.completed) continue;
      const retiredWork = work.signaled ? 'retired' : 'unasked';
      const rules = this.#book.ask('requester-completion', { retiredWork });
      if (!work.signaled) this.#book.exercise(rules);
      work.completed = true;
      const coming = demanding(rules, 'mustCome', 'once');
      if (coming === undefined) continue;
      this.#book.violate(
        coming,
        { event: work.event, t: when.t },
        `success of work request ${work.wr.wr_id}`,
        'no completion',
      );
      return false;
    }
    return true;
  }

  /** What has not happened decides as well. */
  #kept(): void {
    const undue = [
      { placedStep: 'skips', resendCause: 'none' },
      { placedStep: 'unposted', resendCause: 'none' },
      { placedStep: 'settled', resendCause: 'none' },
      { placedStep: 'open', resendCause: 'none' },
    ];
    this.#book.exercise(undue.flatMap((facts) => this.#book.ask('requester-place', facts)));
  }

  #nothingOwed(when: When): boolean {
    const placedOwed = this.#owed(when.t);
    const { rule, outcome } = this.#book.peek('requester-standing', { placedOwed });
    if (this.#unsettled) this.#book.exercise([rule]);
    if (outcomeWord(outcome, 'expiry') !== 'owed') {
      const rules = ['unsent', 'unresent'].flatMap((other) =>
        this.#book.ask('requester-standing', { placedOwed: other }),
      );
      if (this.#unsettled && this.sender.works.length > 0) this.#book.exercise(rules);
      return true;
    }
    const expected = placedOwed === 'unsent' ? 'the next packet' : 'the packets that count as lost';
    this.#book.violate(rule, when, expected, 'nothing');
    return false;
  }

  #owed(t: number): 'unsent' | 'unresent' | 'nothing' {
    const { sender, qp } = this;
    const { recovery, counts } = sender;
    const { profile } = sender.device;
    if (recovery.refused !== undefined && t < recovery.refused.latest + (profile?.rto.high ?? 0))
      return 'nothing';
    // outside a recovery a device need not look for what is lost
    if (recovery.end >= 0 && !recovery.unsure)
      for (const psn of sender.allOpen())
        if (recovery.lost(psn) && !recovery.resent.has(psn)) return 'unresent';
    if (recovery.next >= counts.psn) return 'nothing';
    const work = sender.find(recovery.next);
    if (work === undefined || profile === undefined) return 'nothing';
    if (recovery.next - recovery.una >= profile.cap) return 'nothing';
    const begins = recovery.next === work.first;
    if (begins && this.#fences.holds(work)) return 'nothing';
    const fetching = sender.works.filter(
      (one) => sender.isFetch(one) && !one.answered && one.first < recovery.next,
    );
    if (begins && sender.isFetch(work) && fetching.length >= qp.maxRdAtomic) return 'nothing';
    return 'unsent';
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#book.doubt(why);
    this.lost = true;
  }
}
