import type { Latency } from '../../../report/connections/shape.ts';

/** Steps that a time twice as long is away. */
const perOctave = 4;

/** How often times of each length occurred, in steps of a fourth of an octave. */
export class Histogram {
  readonly #steps: number[] = [];
  #count = 0;
  #longest = 0;

  /** A time in nanoseconds. */
  add(time: number): void {
    const step = Math.max(0, Math.floor(Math.log2(Math.max(1, time)) * perOctave));
    this.#steps[step] = (this.#steps[step] ?? 0) + 1;
    this.#count++;
    this.#longest = Math.max(this.#longest, time);
  }

  /** `undefined` where nothing was added. */
  latency(what: string): Latency | undefined {
    if (this.#count === 0) return undefined;
    const first = this.#steps.findIndex((n) => n > 0);
    const steps = Array.from(this.#steps, (n): number => n ?? 0)
      .slice(first)
      .map((n, i): [number, number] => [2 ** ((first + i) / perOctave), n]);
    return {
      what,
      count: this.#count,
      median: this.#within(0.5),
      most: this.#within(0.99),
      longest: this.#longest,
      steps,
    };
  }

  /** Upper end of the step that holds the share of all times. */
  #within(share: number): number {
    let sum = 0;
    for (const [step, n] of this.#steps.entries()) {
      sum += n ?? 0;
      if (sum >= share * this.#count) return Math.min(this.#longest, 2 ** ((step + 1) / perOctave));
    }
    return this.#longest;
  }
}
