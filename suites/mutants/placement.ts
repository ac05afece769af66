import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/placement.ts`. */
export const placement = {
  'write-overruns-region': ['guard-untouched'],
  'receive-overruns-region': ['guard-untouched'],
  'receive-underruns-region': ['guard-untouched'],
  'write-freed-region': ['uc-access-denied'],
} satisfies MutantEntries;
