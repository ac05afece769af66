import { seeded } from '../../adapters/seeded.ts';

/** Draws the same whole numbers for the same seed. */
export class Draw {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  /** From 0 to below `n`. */
  below(n: number): number {
    return Math.floor(this.#next() * n);
  }

  /** One of a list; undefined if it is empty. */
  of<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }
}
