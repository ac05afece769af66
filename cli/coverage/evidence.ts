import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { shapeProblems } from '../../oracle/compile/shape.ts';
import type { RunResult } from '../../report/results.ts';
import { specDirectory } from '../../spec/load.ts';
import { messageOf, usageError } from '../exit-codes.ts';
import type { MutantsResult } from '../mutants/results.ts';
import type { DeadMutant, RunEvidence } from './coverage.ts';

/** JSON of a file that fits one of the package's schemas; a usage error if it does not. */
function readChecked(file: string, directory: string, schemaName: string, flag: string): unknown {
  const value = ((): unknown => {
    try {
      return JSON.parse(readFileSync(resolve(directory, file), 'utf8'));
    } catch (thrown) {
      throw usageError(`${file} cannot be read: ${messageOf(thrown)}`);
    }
  })();
  const schema: unknown = JSON.parse(readFileSync(join(specDirectory, 'schema', schemaName), 'utf8'));
  if (typeof schema !== 'object' || schema === null) throw new Error(`${schemaName} holds no schema`);
  const [problem] = shapeProblems({ ...schema }, value);
  if (problem !== undefined) throw usageError(`${file} is not what ${flag} takes: ${problem}`);
  return value;
}

/** What a run exercised: the file of `run --reporter json=FILE`. */
export function readRun(file: string, directory: string): RunEvidence {
  const { adapter, spec, rules } = readChecked(
    file,
    directory,
    'results.schema.json',
    '--results',
  ) as RunResult;
  return {
    adapter: adapter.name,
    spec,
    rules: new Map(rules.map(({ id, exercised, verdict }) => [id, { exercised, verdict }])),
  };
}

/** Mutants that were killed, and the rules that each was seen to break: the file of `mutants --format json`. */
export function readKills(file: string, directory: string): { spec: string; kills: DeadMutant[] } {
  const found = readChecked(file, directory, 'mutants.schema.json', '--mutants') as MutantsResult;
  return {
    spec: found.spec,
    kills: found.mutants
      .filter(({ verdict }) => verdict === 'killed')
      .map(({ id, statements, broken }) => ({ id, statements, rules: broken })),
  };
}
