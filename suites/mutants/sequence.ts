import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/sequence.ts`. */
export const sequence = {
  'nak-per-packet': ['rc-request-ahead-after-sequence-nak'],
  'nak-psn-of-request': ['rc-request-ahead'],
  'nak-psn-last-received': ['rc-request-ahead'],
  'sequence-nak-missing': ['rc-request-ahead'],
  'sequence-nak-only-once': ['rc-request-ahead'],
  'sequence-nak-after-rnr': ['rc-request-ahead-after-rnr-nak'],
  'ahead-accepted': ['rc-request-ahead'],
  'psn-compare-without-wrap': ['rc-request-ahead', 'rc-request-duplicate'],
  'duplicates-ignored-while-waiting': ['rc-duplicate-send-write-asked'],
  'duplicate-send-executed': ['rc-duplicate-send-write-asked', 'rc-receive-undue'],
  'duplicate-write-executed': ['rc-memory-repeated'],
  'duplicate-not-acknowledged': ['rc-duplicate-send-write-asked'],
  'duplicate-counted-in-msn': ['rc-msn-counts-messages'],
  'duplicate-advances-expected-psn': ['rc-duplicate-send-write-asked'],
  'duplicate-error-refused': ['rc-duplicate-other'],
  'duplicate-read-ignored': ['rc-duplicate-read'],
  'duplicate-read-stale': ['rc-read-data'],
  'partial-read-from-original-psn': ['rc-duplicate-read'],
  'atomic-executed-twice': ['rc-memory-repeated'],
  'duplicate-atomic-fresh-value': ['rc-duplicate-atomic'],
  'one-replay-entry': ['rc-duplicate-read', 'rc-duplicate-atomic'],
  'read-advances-one-psn': ['rc-read-executed'],
} satisfies MutantEntries;
