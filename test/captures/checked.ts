import { checkResult } from '../../cli/check/check-result.ts';
import { feedCapture } from '../../cli/check/feed.ts';
import { checkExit } from '../../cli/outcome.ts';
import { Judge, loadRules } from '../../oracle/index.ts';
import type { TraceHeader } from '../../oracle/index.ts';
import { readCapture } from '../../wire/index.ts';
import { pcapOf } from './bytes.ts';
import type { Taken } from './bytes.ts';

const set = loadRules();

/** What `--complete`, `--at` and `--timeout` say. */
export type Complete = NonNullable<TraceHeader['complete']>;

/** What `check` says of a capture. */
export interface Checked {
  exit: number;
  /** rules that it calls broken, each once */
  broken: readonly string[];
  inconclusive: readonly string[];
}

/** Has a capture judged as the command does, from the bytes of its file to the exit code. */
export async function checked(
  taken: readonly Taken[],
  complete?: Complete,
  snaplen?: number,
): Promise<Checked> {
  const inOrder = taken.toSorted((a, b) => a.t - b.t);
  const sight = { packets: 'mid-path', verbs: false } as const;
  const judge = new Judge({ sight, clock: 'recorded', ...(complete && { complete }) }, set);
  const fed = await feedCapture(readCapture([pcapOf(inOrder, snaplen)]), (event) => {
    judge.push(event);
  });
  const judgement = judge.finish();
  const result = checkResult({ file: 'a', set, rules: set.rules, judgement, fed, durationMs: 0 });
  return {
    exit: checkExit(result, { strict: false, requireCoverage: false }),
    broken: [...new Set(result.violations.map(({ rule }) => rule))],
    inconclusive: result.inconclusive,
  };
}
