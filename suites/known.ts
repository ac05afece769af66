import { withoutHistory, type Failure } from '../report/results.ts';

/** A divergence that is expected of the device of this run, as a file of known divergences lists it. */
export interface KnownDivergence {
  rule: string;
  /**
   * the finding of the rule that it stands for, or those, of which one is enough that it shows; absent: every one. One that ends in
   * ", *" stands for the finding whatever software had done with the QP
   */
  signature?: string | readonly string[];
  reason: string;
  link?: string;
  /** why it does not show in every run; that it does not is no news then */
  seldom?: string;
}

interface Finding {
  rule: string;
  signature: string;
}

/** Findings that an entry names; undefined: every one of its rule. */
function signaturesOf({ signature }: KnownDivergence): readonly string[] | undefined {
  return typeof signature === 'string' ? [signature] : signature;
}

/** Whether an entry names a finding, or every one of its rule. */
function names(entry: KnownDivergence, { signature }: Finding): boolean {
  const listed = signaturesOf(entry);
  return (
    listed === undefined ||
    listed.some((one) => one === signature || one === `${withoutHistory(signature)}, *`)
  );
}

/** The entry that a finding is expected by. */
export function expectedBy(known: readonly KnownDivergence[], finding: Finding): KnownDivergence | undefined {
  const ofRule = known.filter(({ rule }) => rule === finding.rule);
  return (
    ofRule.find((entry) => entry.signature !== undefined && names(entry, finding)) ??
    ofRule.find(({ signature }) => signature === undefined)
  );
}

/** What a finding says of the entry that it is expected by, if there is one. */
export function divergenceOf(entry: KnownDivergence | undefined): Pick<Failure, 'known' | 'divergence'> {
  if (entry === undefined) return { known: false };
  const { reason, link } = entry;
  return { known: true, divergence: { reason, ...(link !== undefined && { link }) } };
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
    (entry) =>
      entry.seldom === undefined &&
      (exercised.get(entry.rule) ?? 0) > 0 &&
      !found.some((f) => f.rule === entry.rule && names(entry, f)),
  );
  return [
    ...new Set(
      gone.map((entry) => {
        const signatures = signaturesOf(entry);
        return signatures === undefined ? entry.rule : `${entry.rule} (${signatures.join('; ')})`;
      }),
    ),
  ];
}
