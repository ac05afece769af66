/** Where something is in a file of the rules; line and column count from 1, `file` is below the package (`spec/machines/x/y.yaml`). */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}
