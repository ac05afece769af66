import type { Rule } from '../../oracle/index.ts';
import type { Failure } from '../../report/results.ts';
import { encodeToken } from '../case/index.ts';
import { divergenceOf, expectedBy, type KnownDivergence } from '../known.ts';
import { demandOf } from './rule-facts.ts';
import type { Found } from './tally.ts';

/** A finding as its case showed it, neither shrunk nor seen again: the run ended before. */
export function asSeen(
  found: Found,
  rule: Rule,
  { adapter, known, caseFile }: { adapter: string; known: readonly KnownDivergence[]; caseFile?: string },
): Failure {
  const { signature, property, violation, generated } = found;
  const { expected, observed } = violation;
  const { scenario } = generated;
  return {
    ...demandOf(rule),
    signature,
    property,
    expected,
    observed,
    reproduced: { times: 1, of: 1 },
    unshrunk: true,
    unconfirmed: true,
    ...divergenceOf(expectedBy(known, found)),
    token: encodeToken({ rule: rule.id, signature, property, adapter, scenario }),
    scenario,
    ladder: found.ladder?.() ?? [],
    ...(caseFile !== undefined && { caseFile }),
  };
}
