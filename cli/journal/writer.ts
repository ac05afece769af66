import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Failure, RunResult } from '../../report/results.ts';
import type { RunBeginning, RunCase, RunRecord } from '../../suites/runner/record.ts';
import { messageOf } from '../exit-codes.ts';
import { caseLine } from './case-line.ts';
import { journalFormat, type JournalLine } from './lines.ts';
import { takeLock } from './lock.ts';
import { JournalState } from './state.ts';

/** Where a run keeps what it finds, below the working directory. */
export const lastRun = '.rdma-conform/last-run.ndjson';

/** Lines after which what they say is written anew in a few: a long run must not fill the disk. */
const mostLines = 20_000;

interface JournalOptions {
  directory: string;
  asked: string;
  commandLine?: string;
  log: (line: string) => void;
}

/**
 * Appends to a file what a run finds, as it comes: each line is with the operating system before the next case begins, so that a
 * crash of this process loses the cases in flight and nothing else. A file that cannot be written is reported once to `log`, and the
 * run goes on without it.
 */
export class JournalWriter implements RunRecord {
  #file: string;
  #path: string;
  readonly #usual: string;
  readonly #lock: string;
  readonly #about: { asked: string; command?: string };
  readonly #log: (line: string) => void;
  readonly #state = new JournalState();
  readonly #start = performance.now();
  #descriptor: number | undefined;
  #lines = 0;
  #counts: ReadonlySet<string> = new Set();

  /** `asked`: the device as `--adapter` names it; `log`: takes a line for people */
  constructor(file: string, options: JournalOptions) {
    this.#file = file;
    this.#path = resolve(options.directory, file);
    this.#usual = this.#path;
    this.#lock = `${this.#path}.lock`;
    const { asked, commandLine } = options;
    this.#about = { asked, ...(commandLine !== undefined && { command: commandLine }) };
    this.#log = options.log;
  }

  /** Whether anything is in the file. */
  get begun(): boolean {
    return this.#descriptor !== undefined;
  }

  begin(run: RunBeginning): void {
    this.#counts = new Set(run.rules);
    const begun = new Date().toISOString();
    this.#state.apply({ line: 'begin', format: journalFormat, begun, ...this.#about, ...run });
    this.#attempt(() => {
      mkdirSync(dirname(this.#path), { recursive: true });
      const other = takeLock(this.#lock);
      if (other !== undefined) this.#standAside(other);
      this.#replace();
    });
  }

  case(found: RunCase): void {
    const t = Math.round(performance.now() - this.#start);
    this.#append(caseLine(found, t, this.#counts, this.#state));
  }

  failure(failure: Failure): void {
    this.#append({ line: 'failure', failure });
  }

  doubt({ rule, signature }: { rule: string; signature: string }, why: string): void {
    this.#append({ line: 'doubt', rule, signature, why });
  }

  /** The run came to its end, or was interrupted and could say so. */
  end(result: RunResult): void {
    this.#append({ line: 'end', result });
    this.close();
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#attempt(() => {
      // the run that ends last has the usual name
      if (this.#path !== this.#usual && takeLock(this.#lock) === undefined) {
        renameSync(this.#path, this.#usual);
        this.#path = this.#usual;
      }
      if (this.#path === this.#usual) rmSync(this.#lock, { force: true });
    });
  }

  /** Another run goes on in this folder: this one has a file of its own. */
  #standAside(other: number): void {
    const next = (n: number): string =>
      this.#usual.replace(/(\.\w+)?$/, `-${process.pid}${n === 0 ? '' : `-${n}`}$1`);
    let n = 0;
    while (existsSync(next(n))) n++;
    this.#path = next(n);
    this.#file = join(dirname(this.#file), basename(this.#path));
    this.#log(
      `another run (process ${other}) goes on in this folder; what this one finds is in ${this.#file}`,
    );
  }

  #append(line: JournalLine): void {
    if (this.#descriptor === undefined) return;
    this.#state.apply(line);
    this.#attempt(() => {
      if (++this.#lines > mostLines && this.#mine()) this.#replace();
      else this.#write(line);
    });
  }

  /** Whether the file is still that of this run: a later one in the same folder has taken the name over. */
  #mine(): boolean {
    const { ino } = statSync(this.#path);
    return this.#descriptor !== undefined && fstatSync(this.#descriptor).ino === ino;
  }

  /** A new file with all that is known, in the old one's place at once: there is no moment without one. */
  #replace(): void {
    const next = `${this.#path}.${process.pid}`;
    const old = this.#descriptor;
    this.#descriptor = openSync(next, 'w');
    for (const line of this.#state.lines()) this.#write(line);
    renameSync(next, this.#path);
    if (old !== undefined) closeSync(old);
    this.#lines = 0;
  }

  #write(line: JournalLine): void {
    if (this.#descriptor === undefined) return;
    const bytes = Buffer.from(`${JSON.stringify(line, plain)}\n`);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (thrown) {
      this.#log(
        `${this.#file} cannot be written, so that a crash would lose what was found: ${messageOf(thrown)}`,
      );
      this.#descriptor = undefined;
    }
  }
}

/** 64-bit values of a profile are decimal strings. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
