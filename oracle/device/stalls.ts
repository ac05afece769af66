import { PortQueue } from './port-queue.ts';

/** a port in which nothing waits */
const noPort = new PortQueue({ lineRate: undefined, responseTime: undefined });

interface Span {
  from: number;
  until: number;
}

/**
 * When the device or the recorder may have paused, by the trace; nanoseconds of the trace. Spans come in the order in
 * which they begin, each before anything that was seen in it.
 */
export class Stalls {
  /** where what leaves the device may have waited */
  readonly port: PortQueue;
  /** apart from each other, in order */
  readonly #spans: Span[] = [];

  constructor(port = noPort) {
    this.port = port;
  }

  add(from: number, until: number): void {
    if (until <= from) return;
    const last = this.#spans.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else this.#spans.push({ from, until });
  }

  /** How much of the time from one instant to a later one passed in stalls. */
  between(from: number, to: number): number {
    let lost = 0;
    for (let i = this.#spans.length - 1; i >= 0; i--) {
      const span = this.#spans[i];
      if (span === undefined || span.until <= from) break;
      lost += Math.max(0, Math.min(span.until, to) - Math.max(span.from, from));
    }
    return lost;
  }

  /** The earliest that a packet of the device may have left that was seen at `seen`, `jitter` nanoseconds late at most. */
  earliestDeparture(seen: number, jitter: number): number {
    return this.earliest(this.port.handedOver(seen) - jitter);
  }

  /** The earliest that something may have happened that is known to have happened at `from` or later, and was seen in or after it. */
  earliest(from: number): number {
    for (let i = this.#spans.length - 1; i >= 0; i--) {
      const span = this.#spans[i];
      if (span === undefined || span.until < from) break;
      if (span.from <= from) return span.from;
    }
    return from;
  }
}

/**
 * Stalls as one QP feels them, and the spans in which its rate kept it from sending: what is due in these may be late as well, but
 * is seen when it happens.
 */
export class Holds extends Stalls {
  readonly #stalls: Stalls;
  readonly #held = new Stalls();
  #until = Number.NEGATIVE_INFINITY;

  constructor(stalls: Stalls) {
    super(stalls.port);
    this.#stalls = stalls;
  }

  hold(from: number, until: number): void {
    this.#held.add(from, until);
    this.#until = Math.max(this.#until, until);
  }

  /** Whether the rate may still keep the QP from sending. */
  holdsAt(t: number): boolean {
    return t < this.#until;
  }

  /** Whether the rate has kept the QP from sending before, and so may do so again. */
  get limited(): boolean {
    return this.#until !== Number.NEGATIVE_INFINITY;
  }

  override add(from: number, until: number): void {
    this.#stalls.add(from, until);
  }

  override between(from: number, to: number): number {
    return Math.min(to - from, this.#stalls.between(from, to) + this.#held.between(from, to));
  }

  override earliest(from: number): number {
    return this.#stalls.earliest(from);
  }
}
