import { existsSync, rmSync } from 'node:fs';
import type { FindingName } from '../../report/results.ts';
import { writeCapture, type CaptureVerdict, type SeenExchange } from './capture.ts';
import { caseFile, isUnconfirmed, readCases, writeCase } from './file.ts';
import type { ReplayCase } from './token.ts';

interface Seen {
  expected: string;
  observed: string;
}

/**
 * The cases of a run in a folder. A violation has its file from the moment it is seen, so that nothing that ends the run takes it along; once
 * it is shrunk and confirmed, that case takes its place. A folder that cannot be read or written is reported once to `log`, and costs
 * nothing but the files.
 */
export class CaseStore {
  readonly #directory: string | undefined;
  readonly #log: (line: string) => void;
  /** by rule and signature: the file that the finding has in this run */
  readonly #seen = new Map<string, string>();
  #told = false;

  /** `directory` absent: no files */
  constructor(directory: string | undefined, log: (line: string) => void = () => undefined) {
    this.#directory = directory;
    this.#log = log;
  }

  /** Cases of earlier runs. Throws CaseError for a damaged file. */
  read(): ReplayCase[] {
    return this.#attempt('read', (directory) => readCases(directory).map(({ found }) => found)) ?? [];
  }

  /** A rule was seen broken, by a case that shows it better than those before. */
  sighted(found: ReplayCase, seen: Seen): void {
    this.#attempt('written', (directory) => {
      const file = caseFile(directory, found);
      if (!existsSync(file)) writeCase(directory, found, { ...seen, unconfirmed: true });
      this.#replace(found, file);
    });
  }

  /** The file that a finding has in this run. */
  fileOf({ rule, signature }: FindingName): string | undefined {
    return this.#seen.get(JSON.stringify([rule, signature]));
  }

  /** A case could not be run to its end, or not be judged. Gives its file. */
  broke(found: ReplayCase, error: string): string | undefined {
    return this.#attempt('written', (directory) => writeCase(directory, found, { error }));
  }

  /** The file of a finding is another one from now on. */
  #replace({ rule, signature }: ReplayCase, file: string): void {
    const finding = JSON.stringify([rule, signature]);
    const before = this.#seen.get(finding);
    if (before !== undefined && before !== file && isUnconfirmed(before)) rmSync(before, { force: true });
    this.#seen.set(finding, file);
  }

  /** What was shrunk and confirmed, with its packets. */
  confirmed(
    found: ReplayCase,
    seen: Seen,
    trace: SeenExchange,
    verdict: CaptureVerdict,
  ): { caseFile?: string; capture?: string } {
    return (
      this.#attempt('written', (directory) => {
        const file = writeCase(directory, found, seen);
        this.#replace(found, file);
        const capture = writeCapture(file.replace(/\.json$/, '.pcapng'), trace, verdict);
        return { caseFile: file, ...(capture !== undefined && { capture }) };
      }) ?? {}
    );
  }

  #attempt<T>(what: string, act: (directory: string) => T): T | undefined {
    if (this.#directory === undefined) return undefined;
    try {
      return act(this.#directory);
    } catch (thrown) {
      if (!(thrown instanceof Error) || !('syscall' in thrown)) throw thrown;
      if (!this.#told)
        this.#log(
          `cases in ${this.#directory} cannot be ${what}, so that only the report has them: ${thrown.message}`,
        );
      this.#told = true;
      return undefined;
    }
  }
}
