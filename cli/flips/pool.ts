import { Worker } from 'node:worker_threads';
import type { Trial } from '../../suites/flips/trial.ts';

/** Worker threads, each with a part of the corpus. What is noticed depends on it, so that it is the same on every machine. */
export const threads = 2;

/** What a thread is to do. */
export interface Terms {
  seed: number;
  /** cases of each property */
  cases: number;
  part: { i: number; n: number };
}

/** What a thread tells: its corpus is there, or what came of the flip of this number. */
export type Report =
  { kind: 'corpus'; seen: number; kept: number } | { kind: 'trial'; flip: number; trial: Trial };

// Threads run the built package: no loader for TypeScript reaches into them.
const body = new URL('./worker.js', import.meta.url);

/** One thread at work. */
class Thread {
  readonly #worker: Worker;
  #take: ((report: Report) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(terms: Terms) {
    this.#worker = new Worker(body, { workerData: terms });
    this.#worker.on('message', (report: Report) => this.#take?.(report));
    this.#worker.on('error', (error) =>
      this.#fail?.(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on('exit', () => this.#fail?.(new Error('a worker thread ended before its work was done')));
  }

  /** So many reports, each handed over as it comes. */
  async reports(many: number, take: (report: Report) => void): Promise<void> {
    if (many === 0) return;
    let left = many;
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      this.#take = (report) => {
        take(report);
        if (--left === 0) resolve();
      };
    });
  }

  /** Tries the flips of these numbers. */
  async try(flips: readonly number[], take: (report: Report) => void): Promise<void> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    this.#worker.postMessage(flips);
    await this.reports(flips.length, take);
  }

  async end(): Promise<void> {
    this.#fail = undefined;
    this.#worker.removeAllListeners('exit');
    await this.#worker.terminate();
  }
}

/**
 * Tries flips, by number: each on the corpus of one thread, and what is not noticed there on those of the others. Gives one trial of
 * each, the one that noticed it if any did; `progress` is called as they come in. Rejects if a thread dies.
 */
export async function tryFlips(
  terms: Omit<Terms, 'part'>,
  flips: readonly number[],
  progress: (done: { corpora: number; tried: number }) => void,
): Promise<ReadonlyMap<number, Trial>> {
  const crew = Array.from({ length: threads }, (_, i) => new Thread({ ...terms, part: { i, n: threads } }));
  const trials = new Map<number, Trial>();
  let corpora = 0;
  let tried = 0;
  const take = (report: Report): void => {
    if (report.kind === 'corpus') corpora++;
    else {
      tried++;
      const before = trials.get(report.flip);
      const sum = (before?.tried ?? 0) + report.trial.tried;
      trials.set(report.flip, { ...report.trial, tried: sum });
    }
    progress({ corpora, tried });
  };
  try {
    const ready = crew.map(async (thread) => thread.reports(1, take));
    for (let turn = 0; turn < threads; turn++) {
      const open = flips.filter((flip) => trials.get(flip)?.notice === undefined);
      await Promise.all(
        crew.map(async (thread, i) => {
          await ready[i];
          await thread.try(
            open.filter((flip) => (flip + turn) % threads === i),
            take,
          );
        }),
      );
    }
  } finally {
    await Promise.all(crew.map(async (thread) => thread.end()));
  }
  return trials;
}
