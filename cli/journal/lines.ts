import type { Failure, LadderLine, RunResult } from '../../report/results.ts';
import type { RunBeginning } from '../../suites/runner/record.ts';
import type { Scenario } from '../../suites/index.ts';

export const journalFormat = 'rdma-conform/journal/1';

export type Counts = Record<string, number>;

/** The case that shows a finding best so far. */
export interface SeenViolation {
  rule: string;
  signature: string;
  property: string;
  expected: string;
  observed: string;
  /** 0 if no other rule was violated earlier in that trace */
  rank: number;
  size: number;
  scenario: Scenario;
  ladder: LadderLine[];
}

/** What cases add up to; a `case` line holds those of one. Counts are by rule id, or by what they count in words. */
export interface CaseCounts {
  packets: number;
  exercised: Counts;
  violations?: Counts;
  notJudged?: Counts;
  inconclusive?: Counts;
  choices?: Record<string, Counts>;
}

/** First line: what was run, on what. */
export type BeginLine = RunBeginning & {
  line: 'begin';
  format: typeof journalFormat;
  /** ISO 8601 */
  begun: string;
  /** the command line; absent in journals of earlier versions */
  command?: string;
  /** the device as `--adapter` named it */
  asked: string;
};

/** One case. `t`: milliseconds since the beginning. */
export type CaseLine = { line: 'case'; t: number; property: string; replayed?: true } & (
  (CaseCounts & { seen?: SeenViolation[] }) | { error: string }
);

/** Stands for all cases before it. */
export interface TotalsLine extends CaseCounts {
  line: 'totals';
  t: number;
  cases: number;
  casesByProperty: Counts;
  rulesByProperty: Record<string, string[]>;
  errors: Record<string, string[]>;
  seen: SeenViolation[];
}

/** One line of a journal. A run that was not cut off ends with `end`. */
export type JournalLine =
  | BeginLine
  | CaseLine
  | TotalsLine
  | { line: 'failure'; failure: Failure }
  | { line: 'doubt'; rule: string; signature: string; why: string }
  | { line: 'end'; result: RunResult };
