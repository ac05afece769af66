import { psnDiff } from '../../../wire/psn.ts';
import type { OooRegisters } from '../registers.ts';

/** What an RNR NAK has refused: packets from `from` up to `end`, and which of them were sent again when the wait was over. */
interface Refusal {
  from: number;
  end: number;
  /** when the wait may be over */
  until: number;
  resent: Set<number>;
}

/** Refusals that are kept: the device need not have looked yet at what took their place. */
const mostSuperseded = 8;
/** packets of which is kept that they were acknowledged late */
const mostLate = 64;

/** State of single packets that a sender has sent, by PSN. They are lists, and so no part of the registers. */
export class SentPackets {
  readonly #registers: OooRegisters;
  /** nanoseconds after which a response has been looked at */
  readonly #grace: number;
  /** acknowledged selectively */
  readonly selected = new Set<number>();
  /** sent again, by the round of recovery in which they were last */
  readonly #resent = new Map<number, number>();
  /** when packets were acknowledged that were about to be sent again */
  readonly #late = new Map<number, number>();
  /** sent again since the wait after the newest RNR NAK */
  #resentSince = new Set<number>();
  /** RNR NAKs whose wait may have been over when another one came; they may have a say until `t` and a little more */
  #superseded: { refusal: Refusal; t: number }[] = [];

  constructor(registers: OooRegisters, grace: number) {
    this.#registers = registers;
    this.#grace = grace;
  }

  /** Leaves behind what is acknowledged. */
  forget(): void {
    const { una } = this.#registers;
    for (const kept of [this.selected, this.#resent])
      for (const psn of kept.keys()) if (psnDiff(psn, una) < 0) kept.delete(psn);
  }

  /** Whether a packet behind this one was acknowledged selectively. */
  overtaken(psn: number): boolean {
    for (const other of this.selected) if (psnDiff(other, psn) > 0) return true;
    return false;
  }

  again(psn: number): boolean {
    return this.#resent.get(psn) === this.#registers.recoveryRound;
  }

  /** The packet was acknowledged when the device was about to send it again. */
  acknowledgedLate(psn: number, t: number): void {
    this.#late.set(psn, t);
    for (const [old, since] of this.#late) {
      if (this.#late.size < mostLate || since === t) break;
      this.#late.delete(old);
    }
  }

  /** Whether that is so, and the device need not have looked at it yet. */
  late(psn: number, t: number): boolean {
    const since = this.#late.get(psn);
    return since !== undefined && t - since <= this.#grace;
  }

  /** An RNR NAK comes, in place of another one perhaps. */
  refuse(t: number): void {
    const { rnrUntil, rnrLatest } = this.#registers;
    const [before] = this.#newest();
    if (before !== undefined && t >= rnrUntil)
      this.#superseded = [
        { refusal: before, t: Math.max(t, rnrLatest) },
        ...this.#superseded.slice(0, mostSuperseded - 1),
      ];
    this.#resentSince = new Set();
  }

  #newest(): Refusal[] {
    const { rnrFrom: from, rnrEnd: end, rnrUntil: until } = this.#registers;
    return from < 0 ? [] : [{ from, end, until, resent: this.#resentSince }];
  }

  /** RNR NAKs whose wait may be over: the newest, and older ones where the device need not have looked at the newer ones. */
  #over(t: number): Refusal[] {
    const older = this.#superseded.filter((one) => t - one.t <= this.#grace).map(({ refusal }) => refusal);
    return [...this.#newest(), ...older].filter(({ until }) => t >= until);
  }

  /** Whether one of those refused the packet; `once`: and it has not been sent again since. */
  refused(psn: number, t: number, once: boolean): boolean {
    return this.#over(t).some(
      ({ from, end, resent }) =>
        psnDiff(psn, from) >= 0 && psnDiff(psn, end) < 0 && !(once && resent.has(psn)),
    );
  }

  /** The packet was sent again. */
  resent(psn: number, cause: string, t: number): void {
    this.#resent.set(psn, this.#registers.recoveryRound);
    this.#late.delete(psn);
    this.sentAfterRefusal(psn, cause, t);
  }

  /** A packet that counts as lost and was refused as well has two reasons to be sent again. */
  sentAfterRefusal(psn: number, cause: string, t: number): void {
    if (cause !== 'loss') for (const { resent } of this.#over(t)) resent.add(psn);
  }
}
