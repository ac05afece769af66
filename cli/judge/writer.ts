import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { traceLines } from '../../suites/trace-file/write.ts';
import type { RunBeginning, RunCase, RunRecord } from '../../suites/runner/record.ts';
import type { Failure } from '../../report/results.ts';
import { usageError } from '../exit-codes.ts';
import { cannotWrite } from '../files/file-trouble.ts';

/** Writes the trace of each case of a run to a file, named by its property and its number there. */
export class TraceWriter implements RunRecord {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #numbers = new Map<string, number>();
  /** cases that came before one in front of them */
  readonly #early = new Map<number, RunCase>();
  #next = 0;

  /** Throws a usage error where the file cannot be written. */
  constructor(file: string, directory: string) {
    this.#file = file;
    try {
      this.#descriptor = openSync(resolve(directory, file), 'w');
    } catch (thrown) {
      throw usageError(cannotWrite(file, thrown));
    }
  }

  begin(_run: RunBeginning): void {}

  case(seen: RunCase): void {
    this.#early.set(seen.place, seen);
    for (let next = this.#early.get(this.#next); next !== undefined; next = this.#early.get(this.#next)) {
      this.#early.delete(this.#next++);
      this.#write(next);
    }
  }

  failure(_failure: Failure): void {}

  doubt(_finding: { rule: string; signature: string }, _why: string): void {}

  close(): void {
    // those behind one that came to nothing
    for (const [, seen] of [...this.#early].toSorted(([a], [b]) => a - b)) this.#write(seen);
    this.#early.clear();
    closeSync(this.#descriptor);
  }

  #write({ property, outcome }: RunCase): void {
    const number = (this.#numbers.get(property) ?? 0) + 1;
    this.#numbers.set(property, number);
    if (outcome.kind !== 'judged') return;
    const { header, events } = outcome.drive;
    try {
      writeSync(this.#descriptor, [...traceLines(header, events, `${property} ${number}`)].join(''));
    } catch (thrown) {
      throw usageError(cannotWrite(this.#file, thrown));
    }
  }
}

/** Both hear of everything. */
export function both(a: RunRecord, b: RunRecord | undefined): RunRecord {
  if (b === undefined) return a;
  return {
    begin: (run) => {
      a.begin(run);
      b.begin(run);
    },
    case: (seen) => {
      a.case(seen);
      b.case(seen);
    },
    failure: (failure) => {
      a.failure(failure);
      b.failure(failure);
    },
    doubt: (finding, why) => {
      a.doubt(finding, why);
      b.doubt(finding, why);
    },
  };
}
