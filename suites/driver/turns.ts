import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work without a wait after which signals, streams and timers of the process get their turn. */
const longestTurn = 50;
/** Milliseconds that the work may go on once somebody has asked for the end. */
const lastTurns = 300;

/** Somebody has asked for the end, and the work was not done soon enough. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
  }
}

/** Lets the process have its turn in work that waits for nothing, such as a scenario on a virtual clock, or its judgement. */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  #last = performance.now();
  #asked: number | undefined;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether it is time for `take`. */
  get due(): boolean {
    return performance.now() - this.#last > longestTurn;
  }

  /** Throws Interrupted where `signal` was aborted some time ago. */
  async take(): Promise<void> {
    await nextTurn();
    this.#last = performance.now();
    if (this.#signal?.aborted !== true) return;
    this.#asked ??= this.#last;
    if (this.#last - this.#asked > lastTurns) throw new Interrupted();
  }
}
