interface Waiting {
  readonly start: (alone: boolean) => void;
  readonly alone: boolean;
}

/** One that was under way when the device died. */
interface Suspect extends Waiting {
  /** when it did something to the device last; the greater, the later */
  readonly touched: number;
}

/**
 * Who may use a real device: several scenarios at a time, or one alone. After a death those that were under way go first, one at a time,
 * until one of them has shown to be the cause; those that did something to the device last are the likeliest, and begin.
 */
export class Admission {
  readonly #most: number;
  #running = 0;
  #alone = false;
  #waiting: Waiting[] = [];
  #suspects: Suspect[] = [];

  /** `most`: scenarios that may use the device at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Waits for its turn; one that is to be `alone` shares the device with no other. Gives whether it is alone. */
  async enter(alone: boolean): Promise<boolean> {
    const free = this.#suspects.length === 0 && this.#waiting.length === 0;
    if (!free || !this.#admits(alone))
      return new Promise<boolean>((start) => this.#waiting.push({ start, alone }));
    this.#begin(alone);
    return alone;
  }

  /**
   * The same for one that may have been the cause of a death. To be called before it leaves, so that the likeliest is known once all have left.
   */
  async enterAgain(alone: boolean, touched: number): Promise<boolean> {
    return new Promise<boolean>((start) => {
      const next = this.#suspects.findIndex((one) => one.touched < touched);
      this.#suspects.splice(next < 0 ? this.#suspects.length : next, 0, { start, alone, touched });
    });
  }

  /** The cause of the death is known: the others go on as before. */
  clear(): void {
    this.#waiting = [...this.#suspects, ...this.#waiting];
    this.#suspects = [];
  }

  leave(): void {
    this.#running--;
    this.#alone = false;
    while (this.#next());
  }

  /** Whether one more was let in. */
  #next(): boolean {
    const suspect = this.#suspects[0];
    const next = suspect ?? this.#waiting[0];
    const alone = suspect !== undefined || next?.alone === true;
    if (next === undefined || !this.#admits(alone)) return false;
    if (suspect === undefined) this.#waiting.shift();
    else this.#suspects.shift();
    this.#begin(alone);
    next.start(alone);
    return true;
  }

  #admits(alone: boolean): boolean {
    return alone ? this.#running === 0 : !this.#alone && this.#running < this.#most;
  }

  #begin(alone: boolean): void {
    this.#running++;
    this.#alone = alone;
  }
}
