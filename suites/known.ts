/** A divergence that is expected of the device of this run; the reader of the file stands in `cli/files/known-file.ts`. */
export interface KnownDivergence {
  rule: string;
  reason: string;
  link?: string;
  /** why it does not show in every run; that it does not is no news then */
  seldom?: string;
}

/** Known divergences that did not show, although their rule was exercised. In the order of the list, each once. */
export function unexpectedPasses(
  known: readonly KnownDivergence[],
  exercised: ReadonlyMap<string, number>,
  violated: ReadonlySet<string>,
): string[] {
  const rules = new Set(known.filter(({ seldom }) => seldom === undefined).map(({ rule }) => rule));
  return [...rules].filter((rule) => (exercised.get(rule) ?? 0) > 0 && !violated.has(rule));
}
