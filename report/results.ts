/** What a run yields: the shape of the json reporter's file (`spec/schema/results.schema.json`), and what reporters take. */

export type Level = 'must' | 'should' | 'may';

export type Verdict =
  'pass' | 'deviation' | 'observed' | 'fail' | 'inconclusive' | 'vacuous' | 'unsupported' | 'error';

export interface RuleResult {
  id: string;
  says: string;
  level: Level;
  table: string;
  verdict: Verdict;
  /** times the rule decided something */
  exercised: number;
  violations: number;
  statements: string[];
  /** where the rule leaves a choice: what the device was seen to do, in words, the most frequent first */
  choices?: { what: string; count: number }[];
  /** set where the known-divergence file expects the violation */
  known?: { reason: string; link?: string };
  /** why it is inconclusive, unsupported or vacuous */
  why?: string;
}

export interface PropertyResult {
  id: string;
  suite: string;
  says: string;
  verdict: Verdict;
  cases: number;
  error?: string;
  /** why it is unsupported */
  why?: string;
}

/** One line of the ladder: what passed between the peer and the DUT. */
export interface LadderLine {
  /** nanoseconds since the start of the trace */
  t: number;
  kind: 'to-dut' | 'from-dut' | 'verbs' | 'completion' | 'event' | 'note';
  text: string;
  /** the guilty line */
  guilty?: boolean;
  /** frame bytes as hex, for packets */
  frame?: string;
}

export interface Failure {
  rule: string;
  property: string;
  level: Level;
  says: string;
  statements: string[];
  expected: string;
  observed: string;
  /** `of` runs of the shrunk scenario, `times` of them with the same violation */
  reproduced: { times: number; of: number };
  known: boolean;
  token: string;
  /** plain-data scenario (suites/scenario.ts) */
  scenario: unknown;
  ladder: LadderLine[];
  /** path of the case file, where one was written */
  caseFile?: string;
}

export interface RunResult {
  /** version of this shape */
  schema: 'rdma-conform/results/1';
  adapter: { name: string; profile: unknown };
  seed: number;
  /** version of the rule set: digest of its files */
  spec: string;
  durationMs: number;
  counts: Record<Verdict, number>;
  cases: number;
  packets: number;
  rules: RuleResult[];
  properties: PropertyResult[];
  failures: Failure[];
  /** known divergences that did not show although their rule was exercised */
  unexpectedPasses: string[];
  /** what could not be judged, with counts */
  notJudged: { what: string; count: number }[];
  interrupted: boolean;
  /** adapter, harness or oracle trouble; non-empty means exit 70 */
  errors: string[];
}
