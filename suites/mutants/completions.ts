import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/completions.ts`. */
export const completions = {
  'qp-survives-fatal-nak': ['rc-drop-state', 'rc-state-after-fault'],
  'receive-queue-not-flushed': ['rc-receive-flushed', 'flush-receive-in-error'],
  'async-event-missing': ['rc-report-invalid-request-unbound', 'rc-report-access-unbound'],
  'completion-missing': [
    'rc-receive-completes',
    'uc-receive-completes',
    'rc-effects-send',
    'uc-effects-send',
    'ud-effects-send',
  ],
  'completion-doubled': ['rc-receive-undue', 'unreliable-receive-undue'],
  'byte-len-of-last-packet': ['rc-receive-length', 'uc-receive-length'],
  'write-immediate-byte-len-zero': ['rc-receive-length'],
  'immediate-byte-order': ['rc-receive-immediate', 'unreliable-receive-immediate'],
  'write-immediate-takes-no-wqe': ['rc-receive-completes', 'rc-effects-write-immediate'],
  'established-repeated': ['rc-established-undue', 'established-unreliable-undue'],
} satisfies MutantEntries;
