import type { CheckResult } from './check-results.ts';
import type { RunResult } from './results.ts';

/** What a reporter may know beside the results. */
export interface ReportContext {
  /** version of rdma-conform */
  version: string;
  /** columns of the terminal, or of the file */
  width: number;
  colour: boolean;
  /** the device as `--adapter` names it; absent: as the failing case does */
  adapter?: string;
}

/** Pure functions from results to a whole document, which ends with a newline. */
export interface Reporter {
  name: string;
  says: string;
  run(result: RunResult, context: ReportContext): string;
  /** absent where a capture cannot be reported in this form */
  check(result: CheckResult, context: ReportContext): string;
}
