/** How far the increase of a rate has come since the last cut. */
export type Stage = 'recovery' | 'active' | 'hyper';

const following: Readonly<Record<Stage, Stage>> = { recovery: 'active', active: 'hyper', hyper: 'hyper' };

/** Counts increase events and tells which stage each belongs to. */
export interface StageCount {
  /** An increase event; gives the stage that decides on it. */
  next(kind: 'timer' | 'bytes'): Stage;
  /** A cut: back to fast recovery. */
  reset(): void;
}

/** One count for events of both kinds: `threshold` of them in each stage, then the next one. */
export class OneCount implements StageCount {
  readonly #threshold: number;
  readonly #begin: Stage;
  #stage: Stage;
  #events = 0;

  constructor(threshold: number, begin: Stage = 'recovery') {
    this.#threshold = threshold;
    this.#begin = this.#stage = begin;
  }

  next(): Stage {
    if (++this.#events > this.#threshold && this.#stage !== 'hyper') {
      this.#stage = following[this.#stage];
      this.#events = 1;
    }
    return this.#stage;
  }

  reset(): void {
    this.#stage = this.#begin;
    this.#events = 0;
  }
}

/**
 * A count for each kind, as in the paper: fast recovery until either has come to `threshold`, hyper increase once both are beyond it.
 */
export class TwoCounts implements StageCount {
  readonly #threshold: number;
  readonly #counts = { timer: 0, bytes: 0 };

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  next(kind: 'timer' | 'bytes'): Stage {
    const counts = this.#counts;
    counts[kind]++;
    if (Math.max(counts.timer, counts.bytes) < this.#threshold) return 'recovery';
    return Math.min(counts.timer, counts.bytes) > this.#threshold ? 'hyper' : 'active';
  }

  reset(): void {
    this.#counts.timer = this.#counts.bytes = 0;
  }
}
