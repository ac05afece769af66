import { rulesOf } from './text.ts';
import { causesOf, type Cause } from './causes.ts';
import type { RunResult } from '../results.ts';

/** Where a broken rule stands among the causes of a run. */
export interface RuleCause {
  /** from 1 on, in the order of all reports */
  readonly number: number;
  readonly cause: Cause;
  /** the finding that it was only ever seen behind, by its rule; absent where it shows the cause by itself */
  readonly follows?: string;
}

/** The cause of each broken rule; of several, the first. */
export function causeByRule(result: RunResult): Map<string, RuleCause> {
  const found = new Map<string, RuleCause>();
  for (const [i, cause] of causesOf(result).entries()) {
    const [lead] = cause.findings;
    for (const { rule } of cause.findings) if (!found.has(rule)) found.set(rule, { number: i + 1, cause });
    for (const { rule } of cause.consequences)
      if (!found.has(rule)) found.set(rule, { number: i + 1, cause, follows: lead?.rule ?? rule });
  }
  return found;
}

/** One line: number, impact and name of the cause, and what else belongs to it. */
export function causeNote(rule: string, { number, cause, follows }: RuleCause): string {
  const { impact, name } = cause;
  const more = rulesOf(cause).filter((other) => other !== rule && other !== follows);
  return [
    `cause ${number}${impact === undefined ? '' : ` (${impact.id})`}: ${name}`,
    ...(follows === undefined || follows === rule ? [] : [`follows from ${follows}`]),
    ...(more.length === 0 ? [] : [`breaks as well: ${more.join(', ')}`]),
  ].join('; ');
}
