import type { ConditionDraft, StatementDraft } from '../../machine-draft.ts';

/** The statements of a list, with those of the lists in it. */
export function flat(drafts: readonly StatementDraft[]): (string | ConditionDraft)[] {
  return drafts.flatMap((draft) => (typeof draft !== 'string' && 'all' in draft ? flat(draft.all) : [draft]));
}
