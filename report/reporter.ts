import type { CheckResult } from './check-results.ts';
import type { Pictures } from './connections/shape.ts';
import type { DocumentCoverage } from './coverage.ts';
import type { Failure, Reproducer, RunResult } from './results.ts';

/** A statement of a source document, in our words. */
export interface StatementText {
  id: string;
  text: string;
  /** the document in English, with the section and its heading */
  source: string;
  /** works that say the same, with the place in each */
  also: readonly string[];
  /** what is wrong with it in the document, and how that is resolved */
  erratum?: string;
}

/** One header of a frame with its fields in words; the layers of a frame follow each other without a gap. */
export interface Layer {
  name: string;
  /** bytes from the beginning of the frame */
  offset: number;
  length: number;
  fields: { name: string; value: string }[];
}

/** What a reporter may know beside the results. What is absent is left out of the report. */
export interface ReportContext {
  /** version of rdma-conform */
  version: string;
  /** columns of the terminal, or of the file */
  width: number;
  colour: boolean;
  /** milliseconds since 1970 at which a run ended that does not say when it began; absent: times count from 0 */
  now?: number;
  /** the device as `--adapter` names it; absent: as the failing case does */
  adapter?: string;
  /** every rule and property is listed, whatever its verdict */
  verbose?: boolean;
  /** one case that was run again, of no seed */
  replayed?: boolean;
  /** the statement with this id */
  statement?: (id: string) => StatementText | undefined;
  /** the program for what leads a cause; `upstream` alone asks for it */
  reproducer?: (failure: Failure) => Reproducer | undefined;
  /** what a case file holds of a finding; absent where the results do not hold its case; `upstream` alone asks for it */
  caseText?: (failure: Failure) => string | undefined;
  /** a frame, given as hex, taken apart */
  dissect?: (frame: string) => Layer[];
  /** what the connections of a capture look like over time */
  pictures?: () => Pictures;
  /** what covers the statements of each source document, as far as the run exercised it */
  coverage?: () => DocumentCoverage[];
  /** way from the reader's folder to the package, whose files rules stand in: "" or e.g. "node_modules/rdma-conform" */
  packagePath?: string;
}

/** One file of a report that is a folder. */
export interface ReportFile {
  name: string;
  text: string;
}

/** Pure functions from results to a whole document, which ends with a newline. */
export interface Reporter {
  name: string;
  says: string;
  run(result: RunResult, context: ReportContext): string;
  check(result: CheckResult, context: ReportContext): string;
  /** of a reporter whose report on a run is a folder: its files */
  files?(result: RunResult, context: ReportContext): ReportFile[];
}
