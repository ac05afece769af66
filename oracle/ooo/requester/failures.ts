import type { Wc, WcStatus } from '../../../spec/verbs.ts';
import { outcomeWord, outcomeWords } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooBook } from '../registers.ts';
import { RequesterEvent } from './event.ts';
import type { Sender } from './send-queue.ts';
import type { RetransmissionTimer } from './timer.ts';
import type { SentWork } from './work.ts';

/** Judges which work request of an out-of-order QP fails, and with what status. Rules of their own judge the flushes behind it. */
export class Failures {
  readonly #sender: Sender;
  readonly #timer: RetransmissionTimer;
  readonly #book: OooBook;
  /** the event with the NAK that refuses a work request */
  #refusedBy: number | undefined;

  constructor(sender: Sender, timer: RetransmissionTimer, book: OooBook) {
    this.#sender = sender;
    this.#timer = timer;
    this.#book = book;
  }

  refusedBy(event: number): void {
    this.#refusedBy ??= event;
  }

  forget(): void {
    this.#refusedBy = undefined;
  }

  /** A completion of the work request with another status than success. */
  judge(work: SentWork, wc: Wc, when: When): void {
    if (wc.status === 'IBV_WC_WR_FLUSH_ERR') return;
    const giveUp = this.#causeOf(work, wc.status, when);
    if (giveUp === undefined) return;
    const { rule, outcome } = this.#book.only('requester-failure', { giveUp });
    // it gave up where it might have sent once more
    if (giveUp === 'retries')
      this.#book.decide('requester-place', { placedStep: 'open', resendCause: 'timeout', retryLeft: 'none' });
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    const statuses = outcomeWords(outcome, 'failure');
    if (outcomeWord(outcome, 'mustCome') === 'never') this.#book.violate(rule, when, 'no failure', seen);
    else if (!statuses.includes(wc.status)) this.#book.violate(rule, when, statuses.join(' or '), seen);
  }

  /** The fact `giveUp`: of what may have happened, what fits the status. `undefined`: nothing is to be said, or the rules of the timer were broken. */
  #causeOf(work: SentWork, status: WcStatus, when: When): string | undefined {
    const { registers } = this.#sender;
    const { earlier } = work;
    if (earlier.some((one) => (one.signaled ? !one.completed : !one.mayRetire))) return 'nothing';
    const fits = (giveUp: string): boolean =>
      outcomeWords(this.#book.peek('requester-failure', { giveUp }).outcome, 'failure').includes(status);
    const event = new RequesterEvent(this.#sender, when.t, { waits: true });
    registers.do('mayBeSpent', event);
    const { refusal, refused, retriesGone, rnrRetriesGone } = registers;
    const own = this.#sender.device.declared.recovery === 'own';
    const likely = [
      ...(own ? ['own'] : retriesGone < 0 ? [] : ['retries']),
      ...(rnrRetriesGone < 0 ? [] : ['rnr-retries']),
    ];
    if (refusal !== 'none' && this.#sender.find(refused) !== work)
      // how often one in front of the refused one was tried is not followed
      return likely.find(fits) ?? (!own && fits('retries') ? undefined : 'nothing');
    const possible = refusal === 'none' ? likely : [refusal, ...likely];
    const found = possible.find(fits) ?? (own && refusal === 'none' ? 'nothing' : possible[0]);
    if (found !== undefined) return found;
    if (!registers.is('retriesSpent', event)) return 'nothing';
    this.#timer.fire(when);
    return undefined;
  }

  /** Tells what should have failed by now; true if something should. */
  overdue(when: When): boolean {
    const { doomed, registers } = this.#sender;
    const giveUp = doomed === undefined ? 'nothing' : registers.refusal;
    const { rule, outcome } = this.#book.only('requester-failure', { giveUp });
    if (doomed === undefined || outcomeWord(outcome, 'mustCome') !== 'once') return false;
    const at = { event: this.#refusedBy ?? doomed.posted.event, t: when.t };
    const expected = `${outcomeWords(outcome, 'failure').join(' or ')} of work request ${doomed.wr.wr_id}`;
    this.#book.violate(rule, at, expected, 'no completion');
    return true;
  }
}
