import type { Wc, WcStatus } from '../../../spec/verbs.ts';
import type { Sender } from './send-queue.ts';
import type { OooBook } from '../tables.ts';
import type { SentWork } from './work.ts';
import { outcomeWord, outcomeWords } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { RetransmissionTimer } from './timer.ts';

/** Judges which work request of an out-of-order QP fails, and with what status. Flushes behind it are told by rules of their own. */
export class Failures {
  readonly #sender: Sender;
  readonly #timer: RetransmissionTimer;
  readonly #book: OooBook;
  /** nanoseconds after which a response has been looked at */
  readonly #grace: number;
  #refusedBy: number | undefined;
  /** counters that the device may have found used up, and since when: its completion may be seen much later */
  readonly #perhaps = new Map<'retries' | 'rnr-retries', number>();

  constructor(sender: Sender, timer: RetransmissionTimer, book: OooBook, grace: number) {
    this.#grace = grace;
    this.#sender = sender;
    this.#timer = timer;
    this.#book = book;
  }

  /** The event with the NAK that refuses a work request. */
  refusedBy(event: number): void {
    this.#refusedBy ??= event;
  }

  forget(): void {
    this.#refusedBy = undefined;
    this.#perhaps.clear();
  }

  /** Whether the timer has run out for the last time by `t`, before what comes then is looked at. */
  watch(t: number): void {
    const { counters, qp } = this.#sender;
    if (counters.timeouts(t, qp.retryCnt) !== 'no' && this.#timer.mayHaveRunOut(t))
      this.#perhaps.set('retries', this.#perhaps.get('retries') ?? t);
  }

  /** A response was taken. */
  taken(t: number): void {
    const { counters, qp } = this.#sender;
    if (counters.refusals(t, qp.rnrRetry) !== 'no') this.#perhaps.set('rnr-retries', t);
  }

  /** The device sends on. */
  sent(t: number): void {
    for (const [cause, since] of this.#perhaps) if (t - since > this.#grace) this.#perhaps.delete(cause);
  }

  /** A completion of the work request with another status than success. */
  judge(work: SentWork, wc: Wc, when: When): void {
    if (wc.status === 'IBV_WC_WR_FLUSH_ERR') return;
    const giveUp = this.#causeOf(work, wc.status, when);
    if (giveUp === undefined) return;
    const { rule, outcome } = this.#book.only('requester-failure', { giveUp });
    // it gave up where it might have sent once more
    if (giveUp === 'retries')
      this.#book.decide('requester-place', { placedStep: 'open', resendCause: 'spent' });
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    const statuses = outcomeWords(outcome, 'failure');
    if (outcomeWord(outcome, 'mustCome') === 'never') this.#book.violate(rule, when, 'no failure', seen);
    else if (!statuses.includes(wc.status)) this.#book.violate(rule, when, statuses.join(' or '), seen);
  }

  /** `undefined` where nothing is to be said, or the timer has been blamed. */
  #causeOf(work: SentWork, status: WcStatus, when: When): string | undefined {
    const { works, refusal, counters, qp } = this.#sender;
    const earlier = works.slice(0, works.indexOf(work));
    if (earlier.some((one) => (one.signaled ? !one.completed : !this.#sender.retired(one, 'either'))))
      return 'nothing';
    const fits = (giveUp: string): boolean =>
      outcomeWords(this.#book.peek('requester-failure', { giveUp }).outcome, 'failure').includes(status);
    this.watch(when.t);
    const likely = [...this.#perhaps.keys()];
    if (refusal !== undefined && this.#sender.find(refusal.psn) !== work)
      // how often one in front of the refused one was tried is not followed
      return likely.find(fits) ?? (fits('retries') ? undefined : 'nothing');
    const possible = refusal === undefined ? likely : [refusal.kind, ...likely];
    const found = possible.find(fits) ?? possible[0];
    if (found !== undefined) return found;
    if (counters.timeouts(when.t, qp.retryCnt) === 'no') return 'nothing';
    this.#timer.fire(when);
    return undefined;
  }

  /** Tells what should have failed by now; true if something should. */
  owed(when: When): boolean {
    const { refusal, doomed } = this.#sender;
    const { rule, outcome } = this.#book.only('requester-failure', {
      giveUp: doomed && refusal ? refusal.kind : 'nothing',
    });
    if (doomed === undefined || outcomeWord(outcome, 'mustCome') !== 'once') return false;
    const at = { event: this.#refusedBy ?? doomed.event, t: when.t };
    const expected = `${outcomeWords(outcome, 'failure').join(' or ')} of work request ${doomed.wr.wr_id}`;
    this.#book.violate(rule, at, expected, 'no completion');
    return true;
  }
}
