import { captureLatitude } from '../../../spec/latitudes.ts';

const { clock, times } = captureLatitude();
/** The coarsest clock that is looked for, nanoseconds. */
const coarsest = 1e9;

/** How coarse the clock of a capture is, by its stamps: the greatest power of ten of which all of them are multiples. */
export class Stamps {
  #grain = coarsest;

  /** Gives whether the clock is finer than all stamps before said. */
  saw(t: number): boolean {
    if (t % this.#grain === 0) return false;
    while (this.#grain > 1 && t % this.#grain !== 0) this.#grain /= 10;
    return true;
  }

  get grain(): number {
    return this.#grain;
  }

  /** Somebody else has seen other stamps. */
  found(grain: number): void {
    this.#grain = grain;
  }

  /** By how much a time may have been longer than the stamps say, nanoseconds. */
  get slack(): number {
    return Math.max(times.stamp, this.#grain);
  }

  /** What they show at least of a time that the device has measured, nanoseconds. */
  least(time: number): number {
    return time * (1 - clock) - this.slack;
  }
}
