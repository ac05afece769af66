/** What a run yields: the shape of the json reporter's file (`spec/schema/results.schema.json`), and what reporters take. */

/** How much a rule demands, the strictest first. */
export const levels = ['must', 'should', 'may'] as const;
/** How strongly the spec asks for what a rule says. */
export type Level = (typeof levels)[number];

/** What a run says about a rule. The glossary defines each of them. */
export type Verdict =
  'pass' | 'deviation' | 'observed' | 'fail' | 'inconclusive' | 'vacuous' | 'unsupported' | 'error';

/** What a run says about one rule. */
export interface RuleResult {
  id: string;
  says: string;
  level: Level;
  /** what it means that it is broken: an entry of `impacts`; absent in results of earlier versions */
  impact?: string;
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
  /** where the rule stands: a file below the root of the package, e.g. `spec/machines/rc-responder/psn.yaml`, line from 1 */
  location?: { file: string; line: number };
  /** clause of the specification that says it, beside the statements or in their place */
  source?: string;
  /** why no statement of the source documents says it */
  uncovered?: string;
  /** why it departs from the text of a source document */
  erratum?: string;
  /** why it is looser than the text */
  latitude?: string;
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
  /** every rule that its cases broke is a known divergence */
  known?: true;
}

/** Names of the two sides of a ladder: left and right. */
export type LadderEnds = readonly [peer: string, judged: string];

/** One line of the ladder: what passed between the peer and the DUT. */
export interface LadderLine {
  /** nanoseconds since the start of the trace */
  t: number;
  kind: 'to-dut' | 'from-dut' | 'verbs' | 'completion' | 'event' | 'note';
  text: string;
  /** the guilty line */
  guilty?: boolean;
  /** a packet that the wire dropped: it never reaches the other end */
  lost?: boolean;
  /** frame bytes as hex, for packets */
  frame?: string;
}

/**
 * What became of the violation when one part of the shrunk scenario was changed and all else left as it is. Values are in
 * words. It matters where `kept` is not empty: there the rule was kept.
 */
export interface Influence {
  /** the part, e.g. "path MTU" or "step 2 (SEND_ONLY): payload" */
  what: string;
  /** its value in the scenario */
  is: string;
  /** other values with which the rule is broken as well */
  broken: string[];
  /** other values with which it is not */
  kept: string[];
}

/** What tells a finding from all others. */
export interface FindingName {
  rule: string;
  /** in a few words: what was seen, and what software had done with the QP where that is unusual */
  signature: string;
}

/** What a finding tells of the rule that it breaks. */
export interface Demand {
  rule: string;
  level: Level;
  says: string;
  statements: string[];
  /** clause of the specification that says it, beside the statements or in their place; absent in results of earlier versions, as the next one */
  source?: string;
  /** why no statement of the source documents says it */
  uncovered?: string;
}

/** One finding: what was expected and observed, the smallest case that shows it, and how to replay it. */
export interface Failure extends Demand {
  /** absent in results of earlier versions */
  signature?: string;
  property: string;
  expected: string;
  observed: string;
  /** `of` runs of the shrunk scenario, `times` of them with the same violation */
  reproduced: { times: number; of: number };
  known: boolean;
  /** what the list of known divergences says of it; only where it is known, and absent in results of earlier versions */
  divergence?: { reason: string; link?: string };
  /** there may be a smaller case: its time was over before all simpler ones were tried */
  unshrunk?: boolean;
  /** the run ended before it was tried again: it is as its case showed it, neither shrunk nor run again; `reproduced` counts that case */
  unconfirmed?: boolean;
  /**
   * what else is broken by the same event, and on the same QP where the case is fully shrunk; `before` where it comes first in
   * the exchange
   */
  also?: (FindingName & { before: boolean })[];
  token: string;
  /** plain-data scenario (suites/scenario.ts) */
  scenario: unknown;
  ladder: LadderLine[];
  /** path of the case file, where one was written */
  caseFile?: string;
  /** path of a pcapng with all packets of the exchange, the verdict as comment on the guilty one, where one was written */
  capture?: string;
  /** what matters: one entry per part of the scenario that was varied; absent where nothing was */
  influences?: Influence[];
}

/** A program in C that shows a finding with no part of this project in it, or why there is none. */
export type Reproducer = { text: string } | { why: string };

/** Findings that are likely one defect, each as `findingName` has it. */
export interface CauseResult {
  name: string;
  /** the gravest of its findings: an entry of `impacts` */
  impact?: string;
  known: boolean;
  /** what shows it by itself, the best first */
  findings: string[];
  /** seen only behind another finding of the cause */
  consequences: string[];
}

/** What a run found: the JSON report, `spec/schema/results.schema.json`. */
export interface RunResult {
  /** version of this shape */
  schema: 'rdma-conform/results/1';
  adapter: { name: string; profile: unknown };
  seed: number;
  /** version of the rule set: digest of its files */
  spec: string;
  /** when it began, ISO 8601 in UTC; absent in results of earlier versions and of a single case */
  begun?: string;
  /** the command line of the run, where a command made it */
  command?: string;
  durationMs: number;
  counts: Record<Verdict, number>;
  cases: number;
  packets: number;
  rules: RuleResult[];
  properties: PropertyResult[];
  failures: Failure[];
  /** of the json reporter: what was found by what is likely one defect each, news first, then the gravest */
  causes?: CauseResult[];
  /** what it may mean that a rule is broken, the gravest first; absent in results of earlier versions */
  impacts?: { id: string; says: string }[];
  /** known divergences that did not show although their rule was exercised; one of a certain signature as `rule (signature)` */
  unexpectedPasses: string[];
  /** what could not be judged, with counts */
  notJudged: { what: string; count: number }[];
  /** cases in which the device raised IBV_EVENT_DEVICE_FATAL, and nothing was judged from then on; absent: none */
  endedByDevice?: number;
  interrupted: boolean;
  /** parts of a campaign that is spread over machines: how many there are, and which of them this is; absent: the whole */
  shards?: { of: number; have: number[] };
  /** why this is not all of what was to be run, one reason per entry; absent: it is */
  partial?: string[];
  /** adapter, harness or oracle trouble; non-empty means exit 70 */
  errors: string[];
}

/** Which parts of a campaign are missing, in words; none where all are there. */
export function missingParts({ of, have }: { of: number; have: readonly number[] }): string[] {
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((i) => !have.includes(i));
  if (missing.length === 0) return [];
  return [`part${missing.length === 1 ? '' : 's'} ${missing.join(', ')} of ${of} missing`];
}

/** A finding by its rule, and what tells it from others of that rule: `rule (signature)`. */
export function findingName({ rule, signature }: Pick<Failure, 'rule' | 'signature'>): string {
  return signature === undefined ? rule : `${rule} (${signature})`;
}

// "0 of them" is in reports of earlier versions
const absent = /^(?:no (?:event|completion|response)|none|neither|nothing|no packet|0 of them)\b/;

/** Whether an observation says that nothing came. */
export function isAbsent(observed: string): boolean {
  return absent.test(observed);
}

/** A signature without what software had done with the QP, such as ", after RESET", which ends it where that was unusual. */
export function withoutHistory(signature: string): string {
  return signature.replace(/, (?:in|after) [A-Z]+$/, '');
}
