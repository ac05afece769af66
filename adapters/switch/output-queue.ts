import type { Clock, Timer } from '../adapter.ts';

export interface Waiting {
  bytes: number;
  /** called when the last bit has left */
  leave: () => void;
}

/** What waits for a link, and leaves in order at the link's rate. A packet under way counts as waiting until it has left. */
export class OutputQueue {
  /** bytes that wait */
  bytes = 0;
  readonly #clock: Clock;
  readonly #rate: number;
  readonly #waiting: Waiting[] = [];
  #timer: Timer | undefined;
  #held = false;
  /** when the link is free again; may lie between two whole nanoseconds */
  #free = 0;

  /** `rate` in bits per second. */
  constructor(clock: Clock, rate: number) {
    this.#clock = clock;
    this.#rate = rate;
  }

  push(item: Waiting): void {
    this.bytes += item.bytes;
    this.#waiting.push(item);
    this.#send();
  }

  /** The far end asks for a pause: what is under way still leaves, and nothing behind it. */
  hold(): void {
    this.#held = true;
  }

  resume(): void {
    this.#held = false;
    this.#send();
  }

  /** Forgets all that waits. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#waiting.length = 0;
    this.bytes = 0;
  }

  #send(): void {
    const next = this.#waiting[0];
    if (next === undefined || this.#timer !== undefined || this.#held) return;
    const now = this.#clock.now();
    this.#free = Math.max(now, this.#free) + (next.bytes * 8e9) / this.#rate;
    this.#timer = this.#clock.setTimer(Math.ceil(this.#free) - now, () => {
      this.#timer = undefined;
      this.#waiting.shift();
      this.bytes -= next.bytes;
      next.leave();
      this.#send();
    });
  }
}
