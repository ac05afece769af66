/** What is known of a statement of a source document; the words are those of `rdma-conform coverage`. */
export type CoverageStatus =
  | 'proved'
  | 'covered'
  | 'leads-on'
  | 'model'
  | 'excused'
  | 'unsupported'
  | 'unexercised'
  | 'unproved'
  | 'open';

export interface StatementStanding {
  id: string;
  section: string;
  statement: string;
  status: CoverageStatus;
  /** rules that cover it */
  rules: string[];
  /** why nothing can cover it */
  excuse?: string;
}

/** A source document and what covers its statements. */
export interface DocumentCoverage {
  id: string;
  counts: Record<CoverageStatus, number>;
  statements: StatementStanding[];
}
