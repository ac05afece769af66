import { Worker } from 'node:worker_threads';
import type { CapturePart } from '../../../oracle/capture/findings.ts';
import { gathered, Judge } from '../../../oracle/judge/judge.ts';
import { CaptureShares } from '../../../oracle/judge/shares.ts';
import type { RuleSet } from '../../../oracle/rules.ts';
import type { Judgement, TraceEvent, Violation } from '../../../oracle/trace.ts';
import { builtFile } from '../../../spec/load.ts';
import type { CaptureJudge } from '../capture-judge.ts';
import type { Batch, FromThread, Terms, ToThread } from './messages.ts';
import { Packer } from './packer.ts';

// Threads run the built package: no loader for TypeScript reaches into them.
const body = builtFile('cli/check/jobs/worker.js');
/** Batches that a thread is ahead of at most, so that memory does not grow where it is slower than the reader. */
const mostWaiting = 4;

/** A thread, and how it has come along. */
class Thread {
  readonly packer: Packer;
  waiting = 0;
  part: CapturePart | undefined;
  readonly #worker: Worker;
  readonly #changed: () => void;

  constructor(
    terms: Terms,
    found: (violations: readonly Violation[]) => void,
    failed: (why: Error) => void,
    changed: () => void,
  ) {
    this.#changed = changed;
    this.#worker = new Worker(body, { workerData: terms });
    this.#worker.on('message', (message: FromThread) => {
      if ('part' in message) this.part = message.part;
      else {
        this.waiting--;
        found(message.found);
      }
      this.#changed();
    });
    this.#worker.on('error', failed);
    this.#worker.on('exit', () => {
      if (this.part === undefined)
        failed(new Error('a thread of --jobs has ended before its share was judged'));
    });
    this.packer = new Packer((batch) => {
      this.waiting++;
      this.#post(batch, [batch.heads.buffer, batch.bytes.buffer]);
    });
  }

  end(events: number): void {
    this.packer.flush();
    this.#post({ events }, []);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(message: Batch | ToThread, transfer: ArrayBuffer[]): void {
    this.#worker.postMessage(message, transfer);
  }
}

/** Judges a capture on several cores, each connection on one of them, with the result that one judge comes to. */
export class CheckThreads implements CaptureJudge {
  /** as they come in: in the order of the capture only at the end */
  readonly violations: Violation[] = [];
  readonly #header: Terms['header'];
  readonly #rules: RuleSet;
  readonly #shares: CaptureShares;
  readonly #others: Judge;
  readonly #threads: Thread[];
  #events = 0;
  #newest = 0;
  #trouble: Error | undefined;
  #wake: () => void = () => undefined;

  /** `jobs`: threads beside the one that reads */
  constructor(terms: Terms, rules: RuleSet, jobs: number) {
    this.#header = terms.header;
    this.#rules = rules;
    this.#shares = new CaptureShares(terms.header, jobs);
    this.#others = new Judge(terms.header, rules, 'others');
    const found = (violations: readonly Violation[]): void => void this.violations.push(...violations);
    const failed = (why: Error): void => {
      this.#trouble ??= why;
      this.#wake();
    };
    this.#threads = Array.from({ length: jobs }, () => new Thread(terms, found, failed, () => this.#wake()));
  }

  push(event: TraceEvent): void {
    const index = this.#events++;
    this.#others.push(event, index);
    if (event.kind === 'gap') {
      for (const { packer } of this.#threads) packer.gap(event.reason, event.t, index);
      return;
    }
    if (event.kind !== 'packet' || event.packet.info?.kind === 'cnp') return;
    this.#newest = event.t;
    const tell: Parameters<CaptureShares['behind']>[0] = (note, share, order) => {
      const shared = share === 'all' ? this.#threads : this.#threads.slice(share, share + 1);
      for (const { packer } of shared) packer.note(note, index, order);
    };
    const owner = this.#shares.owner(event.packet, event.t, tell);
    this.#threads[owner]?.packer.packet(event, index);
    this.#shares.behind(tell);
  }

  async room(): Promise<void> {
    await this.#until(() => this.#threads.every(({ waiting }) => waiting <= mostWaiting));
  }

  async finish(): Promise<Judgement> {
    for (const thread of this.#threads) {
      thread.packer.note({ kind: 'newest', t: this.#newest }, this.#events, 0);
      thread.end(this.#events);
    }
    await this.#until(() => this.#threads.every(({ part }) => part !== undefined));
    const parts = [this.#others.part(this.#events), ...this.#threads.flatMap(({ part }) => part ?? [])];
    return gathered(this.#header, parts, this.#rules);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  async #until(met: () => boolean): Promise<void> {
    for (;;) {
      if (this.#trouble !== undefined) throw this.#trouble;
      if (met()) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
