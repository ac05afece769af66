import type { Wc } from '../../../spec/verbs.ts';
import { describe } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { PostedSend } from '../../device/queues/posted-send.ts';
import type { Qp } from '../../device/qp.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooDevice } from '../device.ts';
import type { OooBook } from '../registers.ts';
import { judgeAgain, judgeGone, judgeMissing, judgeSuccess } from './completions.ts';
import { judgePacket } from './demands.ts';
import { RequesterEvent } from './event.ts';
import { Failures } from './failures.ts';
import { Fences } from './fences.ts';
import { judgeLaunch } from './launches.ts';
import { takeResponse } from './responses.ts';
import { Sender } from './send-queue.ts';
import { judgeStanding } from './standing.ts';
import { RetransmissionTimer } from './timer.ts';

/** Judges what an out-of-order QP does as requester. */
export class OutOfOrderRequester {
  readonly qp: Qp;
  readonly sender: Sender;
  lost = false;
  /** what it sends is lost unseen */
  #dark = false;
  /** work was posted or packets were sent since everything was last at rest */
  unsettled = false;
  /** requests were unanswered when the QP went to SQD, and no response has come since */
  #drains = false;
  /** when a response came that names a PSN which had not been sent */
  #unsentAt = Number.NEGATIVE_INFINITY;
  readonly #book: OooBook;
  readonly #timer: RetransmissionTimer;
  readonly #fences: Fences;
  readonly #failures: Failures;

  constructor(qp: Qp, device: OooDevice, book: OooBook) {
    this.qp = qp;
    this.#book = book;
    this.sender = new Sender(qp, device);
    this.#timer = new RetransmissionTimer(this.sender, book);
    this.#fences = new Fences(this.sender, book);
    this.#failures = new Failures(this.sender, this.#timer, book);
  }

  /** Something has ended its work. */
  get failed(): boolean {
    return this.sender.registers.failed;
  }

  /** Something is posted that is not done with, or was sent since everything was last at rest. */
  get busy(): boolean {
    return this.unsettled || this.sender.works.some(({ completed }) => !completed);
  }

  /** Nothing is judged: it is not followed, or has ended. */
  get #over(): boolean {
    return this.lost || this.failed || this.qp.state !== 'RTS';
  }

  /** Whether requests are unanswered, of a QP that drains; `undefined` where that is unknown. */
  get underWay(): true | undefined {
    return this.#drains ? true : undefined;
  }

  /** The QP goes to another state; this is called before anything changes. */
  enters(state: string): void {
    const { works, registers } = this.sender;
    const begun = works.filter(({ psn }) => psnDiff(psn, registers.end) < 0);
    this.#drains = state === 'SQD' && !this.lost && !this.failed && begun.some((work) => !work.mayRetire);
  }

  start(psn: number): void {
    this.sender.start(psn);
    this.#failures.forget();
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

  /** The link goes down while it has nothing to do, or something is posted without one: it sends unseen, and nothing can answer. */
  darken(): void {
    this.#dark = true;
  }

  /** The link is back: how much it had sent, and what comes of it, nobody knows. */
  lighten(): void {
    if (this.#dark && !this.lost) this.leaveOut('out-of-order QPs that had something to send without a link');
    this.#dark = false;
  }

  has(wrId: number): boolean {
    return this.#pending(wrId) !== undefined;
  }

  #pending(wrId: number): Sender['works'][number] | undefined {
    return this.sender.works.find(({ wr, completed }) => !completed && wr.wr_id === wrId);
  }

  /** Software has written to memory: what waits to be sent may have either content. */
  written(): void {
    for (const work of this.sender.works) if (work.posted.inline === undefined) work.payloadOpen = true;
  }

  response(packet: Packet, { t, event }: When): void {
    this.#drains = false;
    if (this.#over) return;
    const taken = takeResponse(this.sender, packet, t);
    if (taken === 'unsent') this.#unsentAt = t;
    if (taken === 'failure') this.#failures.refusedBy(event);
    const { rnrCame, rnrFrom } = this.sender.registers;
    if (rnrCame === t && rnrFrom >= 0)
      // what is not sent in the wait decides as well
      this.#book.decide('requester-place', { placedStep: 'open', resendCause: 'waits', retryLeft: 'some' });
    if (taken === 'strange') this.leaveOut('responses that fit no request of an out-of-order QP');
    this.sender.forget();
  }

  /** A packet that the device sent. */
  sent(packet: Packet, when: When): void {
    const { sender } = this;
    const { registers, packets } = sender;
    if (this.#over || registers.refusal !== 'none') return;
    this.unsettled = true;
    // the device need not have looked at that response before it sent this
    if (when.t - this.#unsentAt <= sender.device.grace)
      return this.leaveOut('responses of out-of-order QPs that name what was not sent yet');
    const { psn } = packet;
    const work = sender.find(psn);
    const event = new RequesterEvent(sender, when.t, { packet, psn, work });
    registers.do('sendsOn', event);
    const facts = registers.facts('requester-place', event);
    const { placedStep, resendCause = 'none' } = facts;
    const again = placedStep === 'open' || resendCause === 'own';
    const cause = again && work !== undefined ? resendCause : 'none';
    // the timer is the cause
    if (cause === 'timeout' && this.#timer.fire(when) === 'forbidden') return void (this.lost = true);
    const { rule, outcome } = this.#book.only('requester-place', { ...facts, resendCause: cause });
    if (outcomeWord(outcome, 'sends') === 'forbidden') {
      const wanted = placedStep === 'skips' ? `PSN ${registers.end}` : 'no packet';
      this.#book.violate(rule, when, wanted, describe(packet));
      this.lost = true;
      return;
    }
    if (work === undefined) return;
    if (cause === 'loss' || cause === 'not-ready') this.#timer.perhaps(psn, when.t);
    if (placedStep === 'next') {
      judgeLaunch(this.#book, sender, this.#fences, work, psn, when);
      packets.sentAfterRefusal(psn, cause, when.t);
    } else packets.resent(psn, cause, when.t);
    judgePacket(this.#book, { sender, packet, work, event }, when);
    registers.do('sent', event);
  }

  /** A completion of the send queue. */
  completion(wc: Wc, when: When): void {
    if (this.lost) return;
    const work = this.#pending(wc.wr_id);
    if (work === undefined) this.lost = !judgeAgain(this.#book, this.sender, wc, when);
    else if (this.failed || this.qp.state === 'ERR') work.completed = true;
    else if (wc.status === 'IBV_WC_SUCCESS')
      this.lost = !judgeSuccess(this.#book, this.sender, work, wc, when);
    else if (this.#dark) this.leaveOut('out-of-order QPs that failed without a link');
    else {
      this.#failures.judge(work, wc, when);
      this.sender.registers.do('failed', {});
      this.sender.abandon();
      work.completed = true;
    }
  }

  /** Everything due has had its time. */
  settle(when: When): void {
    if (this.lost || this.#dark) return;
    const book = this.#book;
    const { sender, unsettled } = this;
    if (unsettled && sender.works.some(({ completed }) => completed)) judgeGone(book, sender);
    this.unsettled = false;
    if (this.#over) return;
    const sends = sender.registers.refusal === 'none';
    if (sends) this.#timer.watch(when);
    if (sends && unsettled && sender.sentAny)
      // what has not happened decides as well
      for (const placedStep of ['skips', 'unposted', 'settled', 'open'])
        book.decide('requester-place', { placedStep, resendCause: 'none', retryLeft: 'some' });
    const done =
      judgeMissing(book, sender, unsettled, when.t) &&
      !this.#failures.overdue(when) &&
      (!sends || judgeStanding(book, sender, this.#fences, unsettled, when));
    this.lost = !done;
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#book.doubt(why);
    this.lost = true;
  }
}
