import { greatestPathMtu } from '../../spec/constants.ts';
import { portLatitude } from '../../spec/latitudes.ts';

const { gap, headers } = portLatitude();

/** bytes of the longest packet: one of the greatest path MTU, and its headers */
const largestFrame = greatestPathMtu + headers;

/**
 * What leaves a port one packet after the other may have waited in it. It keeps since when: packets that leave without a gap may have been
 * handed to the port together, when the first of them was. Times in nanoseconds of the trace; where no rate of the port is
 * declared, nothing waits.
 */
export class PortQueue {
  /** nanoseconds for a byte */
  readonly #byteTime: number | undefined;
  /** the longest that a packet waits */
  readonly #longest: number;
  #busySince = Number.NEGATIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #lastTook = 0;

  /** `lineRate` in bits per second. */
  constructor({
    lineRate,
    responseTime,
  }: {
    lineRate: number | undefined;
    responseTime: number | undefined;
  }) {
    this.#byteTime = lineRate === undefined ? undefined : 8e9 / lineRate;
    this.#longest = responseTime ?? 0;
  }

  /** A packet of so many bytes has left. */
  left(bytes: number, t: number): void {
    if (this.#byteTime === undefined) return;
    const took = Math.ceil(bytes * this.#byteTime);
    if (!this.#gapless(took, t)) this.#busySince = t - took;
    this.#last = t;
    this.#lastTook = took;
  }

  /** The earliest that the packet which leaves at `t` would have left if it had waited for none in front; `t` itself if none leaves. */
  unhindered(t: number): number {
    return t === this.#last ? Math.min(t, Math.max(this.#busySince + this.#lastTook, t - this.#longest)) : t;
  }

  /** The earliest that the packet which leaves at `t` may have been handed to the port; `t` itself if none leaves. */
  handedOver(t: number): number {
    return t === this.#last ? Math.max(this.#busySince, t - this.#longest) : t;
  }

  #gapless(took: number, t: number): boolean {
    return t - this.#last <= Math.max(took, this.#lastTook) * (1 + gap);
  }

  /** Whether a packet may leave after `t` that was handed to the port by `before`. */
  mayBeBusy(t: number, before: number): boolean {
    if (this.#byteTime === undefined) return false;
    return t - Math.max(this.#last, before) <= largestFrame * this.#byteTime * (1 + gap);
  }

  /** Whether a packet of so many bytes that leaves at `t` may have been handed to the port by `before`. */
  mayHold(bytes: number, t: number, before: number): boolean {
    if (this.#byteTime === undefined) return false;
    const took = Math.ceil(bytes * this.#byteTime);
    return Math.max(this.#gapless(took, t) ? this.#busySince : t - took, t - this.#longest) <= before;
  }
}
