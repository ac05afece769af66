import type { OutOfOrderProfile } from '../../../spec/out-of-order.ts';

/** What an RNR NAK has refused: packets from `from` up to `end`, and which of them were sent again when the wait was over. */
export interface Refusal {
  from: number;
  end: number;
  came: number;
  /** when the wait may be over, and when it is at the latest: one that comes while another is waited for counts or not */
  until: number;
  latest: number;
  /** from when on the retransmission timer may run: at once, if the device may have given up instead, or waits for another one */
  timerFrom: number;
  resent: Set<number>;
}

export function isRefused({ from, end }: Refusal, psn: number): boolean {
  return psn >= from && psn < end;
}

/** Refusals that are kept: the device need not have looked yet at what took their place. */
const mostSuperseded = 8;

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
  /** the timer may have fired: whether a recovery has begun, and what was sent again in it, is not known */
  unsure = false;
  /** an RNR NAK refused this packet, and what may be sent again when the wait is over */
  refused: Refusal | undefined;
  /** those before, whose wait may have been over when another one took their place; they may have a say until `t` and a little more */
  #superseded: { refusal: Refusal; t: number }[] = [];
  /** when the retransmission timer last began */
  since = 0;
  /** when it had begun before, and when it was begun anew by something that the device may not have looked at yet */
  before = { since: 0, until: -1 };

  /** An RNR NAK came at `t`; `before`: what another one had refused until then. */
  refuse(refused: Refusal, before: Refusal | undefined, t: number): void {
    if (before !== undefined && t >= before.until)
      this.#superseded = [
        { refusal: before, t: Math.max(t, before.latest) },
        ...this.#superseded.slice(0, mostSuperseded - 1),
      ];
    this.refused = refused;
  }

  /** RNR NAKs that may have a say at `t`: the newest, and older ones where the device need not have looked at the newer ones. */
  refusals(t: number, grace: number): Refusal[] {
    const older = this.#superseded.filter((one) => t - one.t <= grace).map(({ refusal }) => refusal);
    return this.refused === undefined ? older : [this.refused, ...older];
  }

  /** A new packet was sent: a refusal that came after `since` need not have been looked at before, and goes for it, too. */
  reach(since: number): void {
    if (this.refused !== undefined && this.refused.came >= since) this.refused.end = this.next;
  }

  /** Everything before `through + 1` is acknowledged; true if that is news. */
  acknowledge(through: number, t: number): boolean {
    if (through < this.una) return false;
    this.una = through + 1;
    for (const psn of this.selected) if (psn < this.una) this.selected.delete(psn);
    for (const psn of this.resent) if (psn < this.una) this.resent.delete(psn);
    const { refused } = this;
    // what is left of it is sent again all the same, and may wait no longer
    if (refused !== undefined && refused.end <= this.una) this.refused = undefined;
    else if (refused !== undefined && refused.from < this.una)
      this.refused = {
        ...refused,
        from: this.una,
        until: Math.min(refused.until, t),
        timerFrom: Math.min(refused.timerFrom, t),
      };
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
    this.unsure = false;
  }

  #leave(): void {
    this.end = -1;
    this.resent.clear();
    this.unsure = false;
  }

  perhapsFired(): void {
    this.resent.clear();
    this.unsure = true;
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
