import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { loadRules } from '../../oracle/index.ts';
import { shapeProblems } from '../../oracle/compile/shape.ts';
import { readSchema } from '../files/read-checked.ts';
import type { RunResult } from '../../report/results.ts';
import { usageError } from '../exit-codes.ts';
import type { JournalLine } from './lines.ts';
import { resultOf } from './result.ts';
import { JournalState } from './state.ts';

/** What a journal holds. */
export interface Journal {
  result: RunResult;
  /** the device as `--adapter` named it */
  asked: string;
  /** false: the run was cut off */
  whole: boolean;
}

/**
 * Reads what a run has appended. A last line that was cut off is left out. Throws CliError (64) for a file that is no journal, is
 * damaged before its last line, or was cut off and comes of other rules than this program's.
 */
export async function readJournal(path: string, name: string): Promise<Journal> {
  if (!existsSync(path)) throw usageError(`${name}: there is no such file`);
  const state = new JournalState();
  const schema = readSchema('journal.schema.json');
  const results = readSchema('results.schema.json');
  let number = 0;
  let torn: string | undefined;
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const text of lines) {
    number++;
    if (torn !== undefined) throw usageError(torn);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      torn = `${name}:${number}: is no line of a journal`;
      continue;
    }
    const [problem] = shapeProblems(schema, value);
    if (problem !== undefined) throw usageError(`${name}:${number}: is no line of a journal: ${problem}`);
    const line = value as JournalLine;
    const [inside] = line.line === 'end' ? shapeProblems(results, line.result) : [];
    if (inside !== undefined) throw usageError(`${name}:${number}: holds no results: ${inside}`);
    state.apply(line);
  }
  const { begin, end } = state;
  if (begin === undefined) throw usageError(`${name} is no journal of a run`);
  if (end !== undefined) return { result: end, asked: begin.asked, whole: true };
  const rules = loadRules();
  if (rules.digest !== begin.spec) {
    throw usageError(
      `${name} comes of rules ${begin.spec}, and these are ${rules.digest}: what they mean may have changed`,
    );
  }
  return { result: resultOf(state, begin, rules), asked: begin.asked, whole: false };
}
