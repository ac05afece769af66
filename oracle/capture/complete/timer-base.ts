import { captureLatitude } from '../../../spec/latitudes.ts';
import type { Stamps } from '../../device/packet/stamps.ts';

/** Time in which something seen at the port reaches the device, or leaves it, nanoseconds, by the stamps of the capture. */
export function reaction({ grain }: Stamps): number {
  return captureLatitude().times.reaction + grain;
}

/** The earliest time at which a timer can have started that counts, by what has passed the port. */
export class TimerBase {
  readonly #stamps: Stamps;
  #now = Number.NEGATIVE_INFINITY;
  #before = Number.NEGATIVE_INFINITY;

  constructor(stamps: Stamps) {
    this.#stamps = stamps;
  }

  /** It begins to run, and did not before. */
  start(t: number): void {
    this.#before = t;
    this.#now = t;
  }

  set(t: number): void {
    if (t - this.#now > reaction(this.#stamps)) this.#before = this.#now;
    this.#now = t;
  }

  /** Time that has passed for the device, which may not have noticed the newest start yet. */
  elapsed(t: number): number {
    return t - (t - this.#now > reaction(this.#stamps) ? this.#now : this.#before);
  }
}
