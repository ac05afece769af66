import type { RuleResult } from '../../report/results.ts';

/** The counts of choices as a rule's line holds them; nothing where there are none. */
export function choicesOf(counts: ReadonlyMap<string, number> | undefined): Pick<RuleResult, 'choices'> {
  if (counts === undefined || counts.size === 0) return {};
  const choices = [...counts].map(([what, count]) => ({ what, count }));
  return { choices: choices.toSorted((a, b) => b.count - a.count || (a.what < b.what ? -1 : 1)) };
}
