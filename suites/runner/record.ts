import type { Profile } from '../../adapters/adapter.ts';
import type { Failure } from '../../report/results.ts';
import type { KnownDivergence } from '../known.ts';
import type { Scenario } from '../scenario.ts';
import type { CaseOutcome, CleanOutcome } from './devices/case-runner.ts';

/** What a run is, before its first case. */
export interface RunBeginning {
  adapter: string;
  profile: Profile;
  seed: number;
  /** digest of the rule set */
  spec: string;
  /** ids of the rules that count */
  rules: readonly string[];
  /** of these, the ones that count only where a case exercises or breaks them after all */
  elsewhere?: readonly string[];
  /** `why`: why it cannot be tried on this device */
  properties: readonly { id: string; why?: string }[];
  known: readonly KnownDivergence[];
  /** the i-th of n parts, where it is one */
  shard?: { i: number; n: number };
}

/** One case, as soon as it has been judged. */
export interface RunCase {
  property: string;
  scenario: Scenario;
  outcome: CaseOutcome | CleanOutcome;
  /** its place in the run, from 0: several at a time come in any order */
  place: number;
  /** kept from an earlier run; it does not count as a case of this one */
  replayed: boolean;
}

/** Takes everything of a run when it happens, for a record that outlives a crash. */
export interface RunRecord {
  begin(run: RunBeginning): void;
  case(seen: RunCase): void;
  failure(failure: Failure): void;
  /** a finding that could not be shown again */
  doubt(finding: { rule: string; signature: string }, why: string): void;
}
