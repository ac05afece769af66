import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../oracle/compile/schema.ts';
import { shapeProblems } from '../../oracle/compile/shape.ts';
import type { RunResult } from '../../report/results.ts';
import { specDirectory } from '../../spec/load.ts';
import { messageOf, usageError } from '../exit-codes.ts';
import { readText } from './read-text.ts';

/** JSON of a file that fits one of the package's schemas; a usage error, which names who takes it, if it does not. */
export function readChecked(file: string, directory: string, schemaName: string, taker: string): unknown {
  const text = readText(file, directory);
  const value = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch (thrown) {
      throw usageError(`${file} cannot be read: no JSON: ${messageOf(thrown)}`);
    }
  })();
  const [problem] = shapeProblems(readSchema(schemaName), value);
  if (problem !== undefined) throw usageError(`${file} is not what ${taker} takes: ${problem}`);
  return value;
}

/** One of the package's schemas, from `spec/schema/`. */
export function readSchema(name: string): JsonSchema {
  const schema: unknown = JSON.parse(readFileSync(join(specDirectory, 'schema', name), 'utf8'));
  if (typeof schema !== 'object' || schema === null) throw new Error(`${name} holds no schema`);
  return { ...schema };
}

/** The file of `run --reporter json=FILE`. */
export function readResults(file: string, directory: string, taker: string): RunResult {
  return readChecked(file, directory, 'results.schema.json', taker) as RunResult;
}
