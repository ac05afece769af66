import { readFileSync } from 'node:fs';
import type { Failure } from '../../../report/results.ts';
import { reproducerOf } from '../../../suites/reproducer/index.ts';

const file = new URL('../../fixtures/reproducers/soft-roce-6.12.json', import.meta.url);

/** Findings of a run on soft-RoCE of Linux 6.12, by rule. */
export const findings = new Map(
  (JSON.parse(readFileSync(file, 'utf8')) as Failure[]).map((failure) => [failure.rule, failure]),
);

export function finding(rule: string): Failure {
  const found = findings.get(rule);
  if (found === undefined) throw new Error(`no finding of ${rule}`);
  return found;
}

/** The program for a finding. */
export async function programFor(failure: Failure): Promise<string> {
  const made = await reproducerOf(failure, 'rxe', `${failure.rule}.c`);
  if ('why' in made) throw new Error(made.why);
  return made.text;
}
