import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { traceLines } from '../../suites/trace-file/write.ts';
import type { RunBeginning, RunCase, RunRecord } from '../../suites/runner/record.ts';
import type { Failure } from '../../report/results.ts';
import { usageError } from '../exit-codes.ts';
import { cannotWrite } from '../files/file-trouble.ts';

/** Writes the trace of each case of a run to a file, named by its property and its number there. */
export class TraceWriter implements RunRecord {
  readonly #descriptor: number;
  readonly #numbers = new Map<string, number>();

  /** Throws a usage error where the file cannot be written. */
  constructor(file: string, directory: string) {
    try {
      this.#descriptor = openSync(resolve(directory, file), 'w');
    } catch (thrown) {
      throw usageError(cannotWrite(file, thrown));
    }
  }

  begin(_run: RunBeginning): void {}

  case({ property, outcome }: RunCase): void {
    const number = (this.#numbers.get(property) ?? 0) + 1;
    this.#numbers.set(property, number);
    if (outcome.kind === 'error') return;
    const { header, events } = outcome.drive;
    writeSync(this.#descriptor, [...traceLines(header, events, `${property} ${number}`)].join(''));
  }

  failure(_failure: Failure): void {}

  doubt(_finding: { rule: string; signature: string }, _why: string): void {}

  close(): void {
    closeSync(this.#descriptor);
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
