import type { When } from '../../spot.ts';
import { isRefused } from './recovery.ts';
import type { Sender } from './send-queue.ts';
import type { RetransmissionTimer } from './timer.ts';
import type { SentWork } from './work.ts';

/** What the requester does by sending a packet, as the table ooo-requester-place names it. */
export type Step = 'skips' | 'settled' | 'unposted' | 'next' | 'open';

/** What lets a requester send a packet again. */
export class Resends {
  readonly #sender: Sender;
  readonly #timer: RetransmissionTimer;
  /** nanoseconds after which a response has been looked at */
  readonly #grace: number;

  constructor(sender: Sender, timer: RetransmissionTimer, grace: number) {
    this.#sender = sender;
    this.#timer = timer;
    this.#grace = grace;
  }

  stepOf(psn: number, work: SentWork | undefined, t: number): Step {
    const { next } = this.#sender.recovery;
    if (psn > next) return 'skips';
    if (work === undefined) return psn < next ? 'settled' : 'unposted';
    if (psn === next) return 'next';
    return this.#sender.open(psn, work) || this.#maySend(psn, work, t) ? 'open' : 'settled';
  }

  /** Open packets that the device may be about to send again. */
  about(t: number): number[] {
    return [...this.#sender.allOpen()].filter((psn, at) => this.#isAbout(psn, at === 0, t));
  }

  #isAbout(psn: number, oldest: boolean, t: number): boolean {
    const { recovery } = this.#sender;
    if (recovery.lost(psn) && !recovery.resent.has(psn)) return true;
    const over = recovery.refusals(t, this.#grace).filter((one) => isRefused(one, psn) && t >= one.until);
    if (over.length > 0) return over.some(({ resent }) => !resent.has(psn));
    return oldest && !this.#timer.early(t);
  }

  /** Whether the packet was about to be sent again when it was acknowledged, which the device need not have looked at yet. */
  #onItsWay(psn: number, t: number): boolean {
    const since = this.#sender.recovery.lateAcknowledged.get(psn);
    return since !== undefined && t - since <= this.#grace;
  }

  /** Whether a packet that is acknowledged may be sent again all the same. */
  #maySend(psn: number, work: SentWork, t: number): boolean {
    return this.#onItsWay(psn, t) || (this.#sender.waits(work) && !this.#timer.early(t, true));
  }

  /** What allows to send an open packet again; `undefined` where the timer is to blame, which has been told. */
  causeOf(psn: number, work: SentWork, when: When): string | undefined {
    const { recovery } = this.#sender;
    const onItsWay = this.#onItsWay(psn, when.t);
    if (!this.#sender.open(psn, work)) return onItsWay ? 'loss' : this.#timeoutOf(when);
    const { refused } = recovery;
    if ((recovery.lost(psn) && !recovery.resent.has(psn)) || onItsWay) return 'loss';
    for (const one of recovery.refusals(when.t, this.#grace))
      if (isRefused(one, psn) && when.t >= one.until && !one.resent.has(psn)) return 'not-ready';
    if (refused !== undefined && isRefused(refused, psn) && when.t < refused.timerFrom) return 'none';
    const oldest = this.#sender.allOpen().next();
    if (oldest.done === true || oldest.value !== psn) return 'none';
    // one that was sent again already came too soon for whatever reason there was
    if (recovery.resent.has(psn) && this.#timer.early(when.t)) return 'none';
    return this.#timeoutOf(when);
  }

  #timeoutOf(when: When): 'timeout' | 'spent' | undefined {
    const { counters, qp } = this.#sender;
    const spent = counters.timeouts(when.t, qp.retryCnt) === 'yes';
    if (this.#timer.fire(when) === 'forbidden') return undefined;
    return spent ? 'spent' : 'timeout';
  }

  /** The packet was sent again, for the reason given. */
  resent(psn: number, cause: string, t: number): void {
    const { recovery } = this.#sender;
    recovery.resent.add(psn);
    recovery.lateAcknowledged.delete(psn);
    this.alsoRefused(psn, cause, t);
  }

  /** A packet that counts as lost and was refused as well has two reasons to be sent again. */
  alsoRefused(psn: number, cause: string, t: number): void {
    if (cause === 'loss') return;
    for (const refusal of this.#sender.recovery.refusals(t, this.#grace))
      if (t >= refusal.until) refusal.resent.add(psn);
  }
}
