import type { Connections } from './connections/shape.ts';
import type { Demand, LadderEnds, LadderLine, RuleResult, Verdict } from './results.ts';

/** One divergence found in a capture. */
export interface CheckViolation extends Demand {
  /** number of the guilty frame in the file, from 1, as tshark numbers them; absent if it is no single frame's */
  frame?: number;
  /** of several captures, the one that the frame is in */
  file?: string;
  /** the same of a file of traces: the line that the guilty event stands on, from 1 */
  line?: number;
  /** in a file of traces: where this one is from, as its first line says */
  trace?: string;
  /** nanoseconds since the first frame of the file, or since the trace began */
  t: number;
  /** the QP that the rule was judged at */
  qp: string;
  expected: string;
  observed: string;
  /** the connection around the guilty frame, the device that the rule was judged at on the right; of the first ones only */
  ladder?: LadderLine[];
  /** addresses of the two sides of the ladder */
  ends?: LadderEnds;
}

/** What `check` finds in a capture, and `judge` in a file of traces: the shape of its json report (`spec/schema/check.schema.json`). */
export interface CheckResult {
  /** version of this shape */
  schema: 'rdma-conform/check/1';
  file: string;
  /** version of the rule set: digest of its files */
  spec: string;
  durationMs: number;
  counts: Record<Verdict, number>;
  /** of a file of traces: how many it holds, and their events */
  traces?: number;
  events?: number;
  /** frames read, whatever they are */
  frames: number;
  /** of these, RoCEv2 packets that were judged */
  packets: number;
  /** frames that were not judged, by reason, with the number of the first such frame */
  skipped: {
    kind: 'not-roce' | 'truncated' | 'malformed';
    reason: string;
    count: number;
    firstFrame: number;
    /** of several captures, the one that it is in */
    file?: string;
  }[];
  /** who talks to whom; absent for a file of traces */
  connections?: Connections;
  rules: RuleResult[];
  violations: CheckViolation[];
  /** what could not be judged, with counts */
  notJudged: { what: string; count: number }[];
  /** reasons for which a possible violation was not called one, or for which nothing was judged at all */
  inconclusive: string[];
  /** where the file stops making sense; what stood before was judged */
  damage?: { offset: number; message: string };
  interrupted: boolean;
  /** trouble of ours; non-empty means exit 70 */
  errors: string[];
}
