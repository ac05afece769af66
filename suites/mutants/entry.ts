import type { MutantId } from '../../adapters/reference/index.ts';

/**
 * Rules that a mutant breaks: it is killed where one of them is found violated. The first is the one that it was made for; more
 * stand there where the fault shows in whatever request comes next. Or why no rule forbids what it does: such a mutant must
 * survive, and once a rule catches it, the rule belongs here.
 */
export type MutantEntry = readonly [string, ...string[]] | { readonly notJudged: string };

/** Entries of one family of mutants; each family is a file here and in `adapters/reference/mutants/`. */
export type MutantEntries = Partial<Readonly<Record<MutantId, MutantEntry>>>;
