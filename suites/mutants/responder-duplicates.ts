import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/responder-duplicates.ts`. */
export const responderDuplicates = {
  'old-duplicate-is-ahead': ['rc-duplicate-send-write-asked', 'rc-duplicate-atomic', 'rc-request-duplicate'],
  'duplicate-ends-waiting': ['rc-request-ahead-after-sequence-nak'],
  'unasked-duplicate-refused': ['rc-duplicate-send-write-unasked'],
  'duplicate-read-error-refused': ['rc-duplicate-read-error'],
  'duplicate-read-of-freed-memory': ['rc-duplicate-read-error'],
  'duplicate-error-fatal': ['rc-state-kept'],
  'duplicate-error-reported': ['rc-event-undue'],
  'unrecorded-atomic-executed': ['rc-duplicate-atomic-unrecorded'],
  'mismatched-atomic-executed': ['rc-memory-repeated'],
  'mismatched-atomic-refused': ['rc-duplicate-atomic-mismatch'],
  'read-evicts-atomics': ['rc-duplicate-atomic'],
  'resources-never-freed': ['rc-read-executed', 'rc-atomic-executed'],
} satisfies MutantEntries;
