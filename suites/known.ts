/** A divergence that is expected of the device of this run, as a file of known divergences lists it. */
export interface KnownDivergence {
  rule: string;
  /** the finding of the rule that it stands for; absent: every one */
  signature?: string;
  reason: string;
  link?: string;
  /** why it does not show in every run; that it does not is no news then */
  seldom?: string;
}

interface Finding {
  rule: string;
  signature: string;
}

/** The entry that a finding is expected by. */
export function expectedBy(known: readonly KnownDivergence[], finding: Finding): KnownDivergence | undefined {
  const ofRule = known.filter(({ rule }) => rule === finding.rule);
  return (
    ofRule.find(({ signature }) => signature === finding.signature) ??
    ofRule.find(({ signature }) => signature === undefined)
  );
}

/**
 * Known divergences that did not show, although their rule was exercised, by their rule or `findingKey`. In the order of the
 * list, each once.
 */
export function unexpectedPasses(
  known: readonly KnownDivergence[],
  exercised: ReadonlyMap<string, number>,
  found: readonly Finding[],
): string[] {
  const gone = known.filter(
    ({ rule, signature, seldom }) =>
      seldom === undefined &&
      (exercised.get(rule) ?? 0) > 0 &&
      !found.some((f) => f.rule === rule && (signature === undefined || signature === f.signature)),
  );
  return [
    ...new Set(
      gone.map(({ rule, signature }) => (signature === undefined ? rule : `${rule} (${signature})`)),
    ),
  ];
}
