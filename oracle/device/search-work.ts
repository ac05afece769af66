/** What a search may cost, in states looked at: all searches before anything is earned, what an event earns, and one search alone. */
interface Means {
  most: number;
  income: number;
  each: number;
}

/** A device that is watched leaves few ways: generated cases look at 500 states of one QP at most. */
export const watched: Means = { most: 20_000, income: 10, each: 5000 };

/** What a capture lacks leaves many: 30,000 states where few packets are known. */
export const captured: Means = { most: 200_000, income: 50, each: 50_000 };

/**
 * What judging one QP may still spend on searches. Each event earns a little, so that the time that a trace takes grows with its
 * length alone, whatever it leaves open.
 */
export class SearchWork {
  readonly #means: Means;
  #left: number;
  #search = 0;

  constructor(means: Means) {
    this.#means = means;
    this.#left = means.most;
  }

  /** Something was seen. */
  earn(): void {
    const { most, income } = this.#means;
    this.#left = Math.min(most, this.#left + income);
  }

  /** A search begins. */
  begin(): void {
    this.#search = 0;
  }

  /** One more state is looked at, which holds so many things. Gives whether that may be. */
  spend(things = 0): boolean {
    const cost = 1 + things / 64;
    this.#search += cost;
    this.#left -= cost;
    return this.#left >= 0 && this.#search <= this.#means.each;
  }
}
