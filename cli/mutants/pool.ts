import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { builtFile } from '../../spec/load.ts';
import type { Hunt } from '../../suites/mutants/index.ts';

/** What all jobs of a run have in common. */
export interface Terms {
  /** only properties of these; undefined: of all */
  suites: readonly string[] | undefined;
  /** cases after which a mutant counts as surviving */
  limit: number;
}

/** One mutant to be run through the cases of one seed. */
export interface Job {
  mutant: Hunt['mutant'];
  seed: number;
  /** rules that kill it; empty: any */
  rules: readonly string[];
  /** go on until each of its rules was seen violated */
  every: boolean;
  /** not as in a run: ids of properties to turn to; none: those that aim at its rules */
  aimed?: readonly string[];
  /** fewer cases than the others get */
  limit?: number;
}

export type Outcome = { hunt: Hunt } | { error: string };

const mostThreads = 16;

/** Worker threads for so many jobs. */
export function threadsFor(jobs: number): number {
  return Math.max(1, Math.min(availableParallelism(), jobs, mostThreads));
}

// Threads run the built package: no loader for TypeScript reaches into them.
const body = builtFile('cli/mutants/worker.js');

/** Works off jobs until there are none left; rejects if the thread dies or the harness breaks. */
async function serve(
  terms: Terms,
  jobs: Iterator<Job>,
  take: (hunt: Hunt) => void,
  signal: AbortSignal,
): Promise<void> {
  const worker = new Worker(body, { workerData: terms });
  try {
    await new Promise<void>((resolve, reject) => {
      const give = (): void => {
        const next = jobs.next();
        if (next.done === true || signal.aborted) resolve();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
        else worker.postMessage(next.value);
      };
      worker.on('message', (outcome: Outcome) => {
        if ('error' in outcome) {
          reject(new Error(outcome.error));
          return;
        }
        take(outcome.hunt);
        give();
      });
      worker.on('error', reject);
      worker.on('exit', () => {
        reject(new Error('a worker thread ended before its work was done'));
      });
      signal.addEventListener('abort', () => {
        resolve();
      });
      give();
    });
  } finally {
    worker.removeAllListeners('exit');
    await worker.terminate();
  }
}

/** Hunts on several threads. Ends early, silently, once `signal` aborts; what was found until then has been taken. */
export async function hunt(
  terms: Terms,
  jobs: readonly Job[],
  take: (hunt: Hunt) => void,
  signal: AbortSignal,
): Promise<void> {
  const queue = jobs[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: threadsFor(jobs.length) }, async () => serve(terms, queue, take, signal)),
  );
}
