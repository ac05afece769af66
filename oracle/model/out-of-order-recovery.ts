import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';

export interface Refusal {
  from: number;
  until: number;
  resent: Set<number>;
}

/** What a sender knows of the packets that it has sent, by counted PSN. */
export class Recovery {
  /** the oldest that is not acknowledged, and the next new one */
  una = 0;
  next = 0;
  /** beyond `una`, acknowledged selectively */
  readonly selected = new Set<number>();
  /** highest of these so far */
  highest = -1;
  /** sent again since recovery began or the timer fired last */
  readonly resent = new Set<number>();
  /** when packets were acknowledged that were about to be sent again */
  readonly lateAcknowledged = new Map<number, number>();
  /** where recovery ends; -1: there is none */
  end = -1;
  /** an RNR NAK refused this packet, and what may be sent again when the wait is over */
  refused: Refusal | undefined;
  /** the one before, whose wait was over when this one came: the device need not have looked at this one yet */
  beforeRefused: { refused: Refusal; t: number } | undefined;
  /** when the retransmission timer last began */
  since = 0;
  /** when it had begun before, and when it was begun anew by something that the device may not have looked at yet */
  before = { since: 0, until: -1 };

  /** An RNR NAK came at `t`; `before`: what another one had refused until then. */
  refuse(refused: Refusal, before: Refusal | undefined, t: number): void {
    this.beforeRefused = before !== undefined && t >= before.until ? { refused: before, t } : undefined;
    this.refused = refused;
  }

  /** Everything before `through + 1` is acknowledged; true if that is news. */
  acknowledge(through: number): boolean {
    if (through < this.una) return false;
    this.una = through + 1;
    for (const psn of this.selected) if (psn < this.una) this.selected.delete(psn);
    for (const psn of this.resent) if (psn < this.una) this.resent.delete(psn);
    if (this.refused !== undefined && this.refused.from < this.una) this.refused = undefined;
    if (this.end >= 0 && this.una >= this.end) this.#leave();
    return true;
  }

  /** A packet is acknowledged selectively; true if that is news. */
  select(psn: number): boolean {
    if (psn < this.una || psn >= this.next || this.selected.has(psn)) return false;
    this.selected.add(psn);
    this.highest = Math.max(this.highest, psn);
    if (this.end < 0) this.#enter();
    return true;
  }

  /** Remembers that a packet was acknowledged which the device was about to send again, if it had not looked at that yet. */
  late(psn: number, t: number): void {
    this.lateAcknowledged.set(psn, t);
    for (const [old, since] of this.lateAcknowledged) {
      if (this.lateAcknowledged.size < 64 || since === t) break;
      this.lateAcknowledged.delete(old);
    }
  }

  #enter(): void {
    this.end = this.next;
    this.resent.clear();
  }

  #leave(): void {
    this.end = -1;
    this.resent.clear();
  }

  fired(t: number): void {
    this.#enter();
    this.since = t;
  }

  /** Whether a packet counts as lost: one behind it was acknowledged selectively. */
  lost(psn: number): boolean {
    return this.highest > psn && !this.selected.has(psn) && psn >= this.una;
  }
}

/** Timeout that holds with so many packets in flight, nanoseconds. */
export function timeoutOf(
  { rto }: OutOfOrderProfile,
  inFlight: number,
): { name: 'low' | 'high'; time: number } {
  return inFlight < rto.few ? { name: 'low', time: rto.low } : { name: 'high', time: rto.high };
}
