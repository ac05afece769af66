import { outcomeWord } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import { inUnits } from '../../time.ts';
import type { OooBook } from '../registers.ts';
import { RequesterEvent } from './event.ts';
import type { Sender } from './send-queue.ts';

/** Times that the retransmission timer of an out-of-order QP runs out, against its bounds. */
export class RetransmissionTimer {
  readonly #sender: Sender;
  readonly #book: OooBook;
  /** when it began that it was reported to be late */
  #reported = -1;

  constructor(sender: Sender, book: OooBook) {
    this.#sender = sender;
    this.#book = book;
  }

  /** The packet was sent again for another reason; if it is the oldest one open, the timer may have run out besides. */
  perhaps(psn: number, t: number): void {
    const { registers } = this.#sender;
    const event = new RequesterEvent(this.#sender, t, { psn, waits: true });
    if (event.sent.oldest && registers.is('ranOut', event)) registers.do('mayHaveTimedOut', event);
  }

  /** The device acts as if the timer had run out; tells what is wrong with that. */
  fire(when: When): 'forbidden' | 'allowed' {
    const { registers } = this.#sender;
    const event = new RequesterEvent(this.#sender, when.t, { waits: true });
    const facts = registers.facts('requester-timer', event);
    const { rule, outcome } = this.#book.only('requester-timer', facts);
    const expiry = outcomeWord(outcome, 'expiry');
    const [time, past] = this.#times(event, when.t);
    const observed = `one after ${inUnits(past)}`;
    if (expiry === 'forbidden') {
      this.#book.violate(rule, when, `no retransmission before ${inUnits(time)}`, observed);
      return 'forbidden';
    }
    if (expiry === 'owed') this.#book.violate(rule, when, this.#bound(event), observed);
    for (const elapsed of ['early', 'overdue']) this.#book.decide('requester-timer', { ...facts, elapsed });
    registers.do('timedOut', event);
    return 'allowed';
  }

  /** Timeout, and how long ago the timer began; 0 where the device declares none. */
  #times(event: RequesterEvent, t: number): [timeout: number, past: number] {
    const { registers } = this.#sender;
    const timeout = registers.number('timeout', event);
    if (!Number.isFinite(timeout)) return [0, 0];
    const { rtoEarliest, rnrFrom, rnrTimerFrom } = registers;
    const since = Math.max(rtoEarliest, registers.number('heard', event), rnrFrom < 0 ? 0 : rnrTimerFrom);
    return [timeout, t - since];
  }

  #bound(event: RequesterEvent): string {
    return `a retransmission within ${inUnits(this.#sender.registers.number('longestTimeout', event))}`;
  }

  /** Tells once if the device should have acted by now. */
  watch(when: When): void {
    const { registers } = this.#sender;
    const event = new RequesterEvent(this.#sender, when.t);
    const facts = registers.facts('requester-timer', event);
    const { rule, outcome } = this.#book.peek('requester-timer', facts);
    if (registers.fact('rtoClass', event) === 'disabled') this.#book.exercise([rule]);
    if (outcomeWord(outcome, 'expiry') !== 'owed' || this.#reported === registers.rtoLatest) return;
    this.#reported = registers.rtoLatest;
    this.#book.exercise([rule]);
    this.#book.violate(rule, when, this.#bound(event), 'none');
  }
}
