import type { Wc } from '../../../spec/verbs.ts';
import { describe } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { PostedSend } from '../../device/posted-send.ts';
import type { Qp } from '../../device/qp.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooDevice } from '../device.ts';
import type { OooBook } from '../tables.ts';
import { judgeAgain, judgeMissing, judgeSuccess } from './completions.ts';
import { Failures } from './failures.ts';
import { Fences } from './fences.ts';
import { judgeLaunch, judgePacket } from './launches.ts';
import { Resends } from './resends.ts';
import { Responses } from './responses.ts';
import { Sender } from './send-queue.ts';
import { judgeStanding } from './standing.ts';
import { RetransmissionTimer } from './timer.ts';

/** Judges what an out-of-order QP does as requester. */
export class OutOfOrderRequester {
  readonly qp: Qp;
  readonly sender: Sender;
  lost = false;
  /** something has ended its work */
  failed = false;
  /** work was posted or packets were sent since everything was last at rest */
  unsettled = false;
  readonly #book: OooBook;
  readonly #responses: Responses;
  readonly #timer: RetransmissionTimer;
  readonly #resends: Resends;
  readonly #fences: Fences;
  readonly #failures: Failures;
  /** nanoseconds after which a response has been looked at */
  readonly #grace: number;

  constructor(qp: Qp, device: OooDevice, book: OooBook, grace: number) {
    this.#grace = grace;
    this.qp = qp;
    this.#book = book;
    this.sender = new Sender(qp, device, grace);
    this.#responses = new Responses(this.sender, grace);
    this.#timer = new RetransmissionTimer(this.sender, book, grace);
    this.#resends = new Resends(this.sender, this.#timer, grace);
    this.#fences = new Fences(this.sender, book);
    this.#failures = new Failures(this.sender, this.#timer, book, grace);
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
    this.unsettled = true;
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
    const about = this.#resends.about(when.t);
    const lost = new Set(about.filter((psn) => recovery.lost(psn)));
    const taken = this.#responses.take(packet, when.t);
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
    this.unsettled = true;
    this.#failures.sent(when.t);
    const { sender } = this;
    const { recovery } = sender;
    const psn = sender.psns.near(packet.psn, recovery.next);
    const work = sender.find(psn);
    const step = this.#resends.stepOf(psn, work, when.t);
    const cause = step !== 'open' || work === undefined ? 'none' : this.#resends.causeOf(psn, work, when);
    if (cause === undefined) return void (this.lost = true);
    const facts = { placedStep: step, resendCause: cause };
    const { rule, outcome } = this.#book.only('requester-place', facts);
    if (outcomeWord(outcome, 'sends') === 'forbidden') {
      const wanted = step === 'skips' ? `PSN ${sender.psns.number(recovery.next)}` : 'no packet';
      this.#book.violate(rule, when, wanted, describe(packet));
      this.lost = true;
      return;
    }
    if (work === undefined) return;
    if (cause === 'loss' || cause === 'not-ready') this.#timer.perhaps(psn, when.t);
    if (step === 'next') {
      judgeLaunch(this.#book, sender, this.#fences, work, psn, when);
      recovery.next = psn + 1;
      recovery.reach(when.t - this.#grace);
      this.#resends.alsoRefused(psn, cause, when.t);
    } else this.#resends.resent(psn, cause, when.t);
    judgePacket(this.#book, sender, packet, work, psn - work.first, when);
    this.#timer.restart(when.t, false);
  }

  /** A completion of the send queue. */
  completion(wc: Wc, when: When): void {
    if (this.lost) return;
    const work = this.sender.works.find(({ wr, completed }) => !completed && wr.wr_id === wc.wr_id);
    if (work === undefined) this.lost = !judgeAgain(this.#book, this.sender, wc, when);
    else if (this.failed || this.qp.state === 'ERR') work.completed = true;
    else if (wc.status === 'IBV_WC_SUCCESS')
      this.lost = !judgeSuccess(this.#book, this.sender, work, wc, when);
    else {
      this.#failures.judge(work, wc, when);
      this.failed = true;
      this.sender.abandon();
      work.completed = true;
    }
  }

  /** Everything due has had its time. */
  settle(when: When): void {
    if (this.lost) return;
    const book = this.#book;
    const { sender, unsettled } = this;
    if (unsettled && sender.works.some(({ completed }) => completed))
      book.decide('requester-completion', { retiredWork: 'gone' });
    this.unsettled = false;
    if (this.failed || this.qp.state !== 'RTS') return;
    const sends = !this.#idle;
    if (sends) this.#timer.watch(when);
    if (sends && unsettled && sender.recovery.next > 0)
      // what has not happened decides as well
      for (const placedStep of ['skips', 'unposted', 'settled', 'open'])
        book.decide('requester-place', { placedStep, resendCause: 'none' });
    const done =
      judgeMissing(book, sender, unsettled, when.t) &&
      !this.#failures.owed(when) &&
      (!sends || judgeStanding(book, sender, this.#fences, unsettled, when));
    this.lost = !done;
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#book.doubt(why);
    this.lost = true;
  }
}
