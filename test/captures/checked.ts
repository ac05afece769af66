import { checkResult } from '../../cli/check/check-result.ts';
import { feedCapture } from '../../cli/check/feed.ts';
import { checkExit } from '../../cli/outcome.ts';
import { Judge, loadRules } from '../../oracle/index.ts';
import type { TraceHeader } from '../../oracle/index.ts';
import type { CongestionProfile } from '../../spec/congestion.ts';
import { dcqcnProfile, type DcqcnProfileName } from '../../spec/dcqcn.ts';
import { readCapture } from '../../wire/index.ts';
import { pcapOf } from './bytes.ts';
import type { Taken } from './bytes.ts';

const set = loadRules();

/** What `--complete`, `--at` and `--timeout` say. */
export type Complete = NonNullable<TraceHeader['complete']>;

/** Flags of `check`, and how the capture was taken. */
export interface How {
  complete?: Complete;
  /** a set of parameters by its name, or what a file says */
  profile?: DcqcnProfileName | CongestionProfile;
  snaplen?: number;
}

/** What `check` says of a capture. */
export interface Checked {
  exit: number;
  /** rules that it calls broken, each once */
  broken: readonly string[];
  /** numbers of the frames that break one */
  frames: readonly number[];
  inconclusive: readonly string[];
}

/** Has a capture judged as the command does, from the bytes of its file to the exit code. */
export async function checked(
  taken: readonly Taken[],
  { complete, profile, snaplen }: How = {},
): Promise<Checked> {
  const inOrder = taken.toSorted((a, b) => a.t - b.t);
  const sight = { packets: 'mid-path', verbs: false } as const;
  const known = {
    ...(complete && { complete }),
    ...(profile && { congestion: typeof profile === 'string' ? dcqcnProfile(profile) : profile }),
  };
  const judge = new Judge({ sight, clock: 'recorded', ...known }, set);
  const fed = await feedCapture(readCapture([pcapOf(inOrder, snaplen)]), (event) => {
    judge.push(event);
  });
  const judgement = judge.finish();
  const result = checkResult({ file: 'a', set, rules: set.rules, judgement, fed, durationMs: 0 });
  return {
    exit: checkExit(result, { strict: false, requireCoverage: false }),
    broken: [...new Set(result.violations.map(({ rule }) => rule))],
    frames: result.violations.flatMap(({ frame }) => frame ?? []),
    inconclusive: result.inconclusive,
  };
}
