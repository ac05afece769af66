import { timeoutOf } from './recovery.ts';
import type { Sender } from './send-queue.ts';
import type { OooBook } from '../tables.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';

const longest = 4;

/** The retransmission timer of an out-of-order QP, as the device declares it. */
export class RetransmissionTimer {
  readonly #sender: Sender;
  readonly #book: OooBook;
  /** nanoseconds after which a response has been looked at */
  readonly #grace: number;
  #told = false;

  constructor(sender: Sender, book: OooBook, grace: number) {
    this.#grace = grace;
    this.#sender = sender;
    this.#book = book;
  }

  /** A packet was sent, or something new learnt. */
  restart(t: number, news: boolean): void {
    const { recovery } = this.#sender;
    if (news) recovery.before = { since: recovery.since, until: t + this.#grace };
    recovery.since = t;
    this.#told = false;
  }

  #facts(
    t: number,
    waiting = false,
  ): { facts: Record<'rtoClass' | 'rtoPhase', string>; time: number; past: number } {
    const { qp, device, recovery, inFlight } = this.#sender;
    const { profile } = device;
    if (profile === undefined || (inFlight === 0 && !waiting))
      return { facts: { rtoClass: 'idle', rtoPhase: 'early' }, time: 0, past: 0 };
    const { name, time } = timeoutOf(profile, inFlight);
    const began = t <= recovery.before.until ? recovery.before.since : recovery.since;
    const past = t - Math.max(began, recovery.refused?.timerFrom ?? 0);
    const atLeast = t - Math.max(began, recovery.refused?.latest ?? 0);
    const rtoPhase = past < time ? 'early' : atLeast <= longest * time ? 'due' : 'overdue';
    return { facts: { rtoClass: qp.timeout === 0 ? 'disabled' : name, rtoPhase }, time, past };
  }

  early(t: number, waiting = false): boolean {
    return this.#facts(t, waiting).facts.rtoPhase === 'early';
  }

  /** Whether the timer can have run out at some time until `t`, though nothing was sent. */
  mayHaveRunOut(t: number): boolean {
    const { rtoClass, rtoPhase } = this.#facts(t, true).facts;
    return rtoPhase !== 'early' && rtoClass !== 'disabled';
  }

  /** The packet was sent again for another reason; if it is the oldest one open, the timer may have run out besides. */
  perhaps(psn: number, t: number): void {
    const { counters, recovery } = this.#sender;
    if (this.#sender.allOpen().next().value !== psn || !this.mayHaveRunOut(t)) return;
    recovery.perhapsFired();
    counters.timeout(t, false);
  }

  /** The device acts as if the timer had run out; tells what is wrong with that. */
  fire(when: When): 'forbidden' | 'allowed' {
    const { facts, time, past } = this.#facts(when.t, true);
    const { rule, outcome } = this.#book.only('requester-timer', facts);
    if (outcomeWord(outcome, 'expiry') === 'forbidden') {
      this.#book.violate(rule, when, `no retransmission before ${time} ns`, `one after ${past} ns`);
      return 'forbidden';
    }
    if (outcomeWord(outcome, 'expiry') === 'owed')
      this.#book.violate(rule, when, `a retransmission within ${longest * time} ns`, `one after ${past} ns`);
    for (const rtoPhase of ['early', 'overdue']) this.#book.decide('requester-timer', { ...facts, rtoPhase });
    this.#sender.recovery.fired(when.t);
    this.#sender.counters.timeout(when.t, true);
    return 'allowed';
  }

  /** Tells once if the device should have acted by now. */
  watch(when: When): void {
    const { facts, time } = this.#facts(when.t);
    const { rule, outcome } = this.#book.peek('requester-timer', facts);
    if (facts.rtoClass === 'disabled') this.#book.exercise([rule]);
    if (outcomeWord(outcome, 'expiry') !== 'owed' || this.#told) return;
    this.#told = true;
    this.#book.exercise([rule]);
    this.#book.violate(rule, when, `a retransmission within ${longest * time} ns`, 'none');
  }
}
