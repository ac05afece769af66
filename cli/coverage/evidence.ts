import type { MutantsResult } from '../mutants/results.ts';
import { readChecked, readResults } from '../files/read-checked.ts';
import type { DeadMutant, RunEvidence } from './coverage.ts';

/** What a run exercised: the file of `run --reporter json=FILE`. */
export function readRun(file: string, directory: string): RunEvidence {
  const { adapter, spec, rules } = readResults(file, directory, '--results');
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
