import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { builtFile } from '../../spec/load.ts';
import type { Report, Task, ThreadData } from './task.ts';

/** Worker threads. */
export const threads = 2;

// Threads run the built package: no loader for TypeScript reaches into them.
const body = builtFile('cli/flips/worker.js');

/** One thread at work. */
class Thread {
  readonly #worker: Worker;
  readonly #closed: MessagePort;
  #take: ((report: Report) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(flips: Pick<ThreadData, 'deeper' | 'drafts'>) {
    const { port1, port2 } = new MessageChannel();
    this.#closed = port1;
    const workerData: ThreadData = { closed: port2, ...flips };
    this.#worker = new Worker(body, { workerData, transferList: [port2] });
    this.#worker.on('message', (report: Report) => this.#take?.(report));
    this.#worker.on('error', (error) =>
      this.#fail?.(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on('exit', () => this.#fail?.(new Error('a worker thread ended before its work was done')));
  }

  /** Does a task, and hands over each report as it comes. */
  async do(task: Task, take: (report: Report) => void): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      this.#take = (report) => (report.kind === 'done' ? resolve() : take(report));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      this.#worker.postMessage(task);
    });
  }

  /** Tells a thread at work that this flip was noticed elsewhere. */
  close(flip: number): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    this.#closed.postMessage({ kind: 'close', flip } satisfies Task);
  }

  async end(): Promise<void> {
    this.#fail = undefined;
    this.#worker.removeAllListeners('exit');
    this.#closed.close();
    await this.#worker.terminate();
  }
}

/** Threads that try flips side by side. */
export class Pool {
  readonly #crew: readonly Thread[];

  /** `flips`: which ones they are, see `everyFlip`. */
  constructor(flips: Pick<ThreadData, 'deeper' | 'drafts'>) {
    this.#crew = Array.from({ length: threads }, () => new Thread(flips));
  }

  /** Does a part of a task on each thread: that which `part` gives for its number. Rejects if a thread dies. */
  async do(part: (i: number) => Task, take: (report: Report) => void): Promise<void> {
    await Promise.all(
      this.#crew.map(async (thread, i) =>
        thread.do(part(i), (report) => {
          if (report.kind === 'trial')
            for (const other of this.#crew) if (other !== thread) other.close(report.flip);
          take(report);
        }),
      ),
    );
  }

  async end(): Promise<void> {
    await Promise.all(this.#crew.map(async (thread) => thread.end()));
  }
}
