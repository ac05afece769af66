import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/completions.ts`. */
export const completions = {
  'qp-survives-fatal-nak': ['rc-drop-state', 'rc-state-after-fault'],
  'receive-queue-not-flushed': ['rc-receive-flushed'],
  'async-event-missing': ['rc-report-invalid-request-unbound', 'rc-report-access-unbound'],
  'completion-missing': ['rc-receive-completes'],
  'completion-doubled': ['rc-receive-undue'],
  'byte-len-of-last-packet': ['rc-receive-length'],
  'write-immediate-byte-len-zero': ['rc-receive-length'],
  'immediate-byte-order': ['rc-receive-immediate'],
  'write-immediate-takes-no-wqe': ['rc-receive-completes'],
  'established-repeated': ['rc-established-undue'],
} satisfies MutantEntries;
