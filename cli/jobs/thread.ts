import { Worker } from 'node:worker_threads';
import { AdapterBroken, AdapterUnavailable, type OpenOptions, type Profile } from '../../adapters/adapter.ts';
import { builtFile } from '../../spec/load.ts';
import type { Scenario } from '../../suites/index.ts';
import type { CaseOutcome, CaseRunner, CleanOutcome } from '../../suites/runner/devices/case-runner.ts';
import { unpackDrive } from '../../suites/runner/devices/packed.ts';
import { messageOf } from '../exit-codes.ts';
import type { FromThread, PackedOutcome, Terms, ToThread } from './messages.ts';

type Outcome = CaseOutcome | CleanOutcome;

// Threads run the built package: no loader for TypeScript reaches into them.
const body = builtFile('cli/jobs/worker.js');

/** Milliseconds that a thread has to hear that it is to end, and to close its device then. */
const grace = { hear: 1000, close: 6000 };

function unpacked(outcome: PackedOutcome): Outcome {
  return outcome.kind === 'judged' ? { ...outcome, drive: unpackDrive(outcome.drive) } : outcome;
}

/**
 * A thread that runs and judges scenarios on a device of its own. Where it ends before it is closed, whatever it was given comes to an
 * error that says so.
 */
export class Thread implements CaseRunner {
  readonly devices = 1;
  #profile: Profile;
  #concurrency = 1;
  #unexplained: string | undefined;
  readonly #worker: Worker;
  readonly #running = new Map<number, (outcome: Outcome) => void>();
  readonly #opened: Promise<void>;
  readonly #gone: Promise<void>;
  #next = 0;
  /** why nothing more can be run */
  #death: string | undefined;
  #onClosing: () => void = () => undefined;
  #trouble: string | undefined;

  /** `mark`: NAME=VALUE for the environment of all that it starts */
  constructor(terms: Terms, profile: Profile, mark: readonly [string, string], { log }: OpenOptions) {
    this.#profile = profile;
    const [name, value] = mark;
    this.#worker = new Worker(body, { workerData: terms, env: { ...process.env, [name]: value } });
    this.#gone = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#end(code === 0 ? 'it waits for something that never comes' : `it ended with exit code ${code}`);
        resolve();
      });
    });
    this.#opened = new Promise((resolve, reject) => {
      this.#worker.on('error', (thrown) => {
        this.#end(messageOf(thrown));
        reject(new AdapterBroken(`a thread of --jobs cannot be begun: ${messageOf(thrown)}`));
      });
      this.#worker.on('message', (message: FromThread) => {
        if (message === 'closing') this.#onClosing();
        else if ('ready' in message) {
          this.#profile = message.ready.profile;
          this.#concurrency = message.ready.concurrency;
          resolve();
        } else if ('log' in message) log?.(message.log);
        else if ('closed' in message) this.#trouble = message.closed.trouble;
        else if ('failed' in message) {
          const { message: why, unavailable } = message.failed;
          reject(unavailable ? new AdapterUnavailable(why) : new AdapterBroken(why));
        } else {
          const settle = this.#running.get(message.id);
          this.#running.delete(message.id);
          this.#unexplained = message.death;
          settle?.(unpacked(message.outcome));
        }
      });
    });
  }

  get profile(): Profile {
    return this.#profile;
  }

  /** One more than run at a time: the thread need not wait while an answer of it is read. */
  get concurrency(): number {
    return this.#concurrency + 1;
  }

  get unexplainedDeath(): string | undefined {
    return this.#unexplained;
  }

  /** Settles when its device is open. Throws as `Executor.open` does. */
  async open(): Promise<void> {
    return this.#opened;
  }

  async run(scenario: Scenario): Promise<Outcome> {
    if (this.#death !== undefined) return { kind: 'error', message: this.#death, fatal: true };
    const id = this.#next++;
    return new Promise((settle) => {
      this.#running.set(id, settle);
      this.#post({ id, scenario });
    });
  }

  async close(): Promise<void> {
    const heard = new Promise<void>((resolve) => (this.#onClosing = resolve));
    this.#post('close');
    if (await within(grace.hear, Promise.race([heard, this.#gone]))) await within(grace.close, this.#gone);
    await this.#worker.terminate();
    if (this.#trouble !== undefined) throw new AdapterBroken(this.#trouble);
  }

  #post(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    this.#worker.postMessage(message);
  }

  #end(why: string): void {
    this.#death ??= `a thread of --jobs is gone, and the device with it: ${why}`;
    const message = this.#death;
    for (const settle of this.#running.values()) settle({ kind: 'error', message, fatal: true });
    this.#running.clear();
  }
}

/** Whether something has settled before so many milliseconds are over. */
async function within(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
