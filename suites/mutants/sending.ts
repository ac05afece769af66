import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/sending.ts`. */
export const sending = {
  'completions-swapped': ['rc-send-completes-in-order'],
  'send-completion-doubled': ['rc-send-completed-again'],
  'send-completion-missing': ['rc-send-completes', 'rc-send-completes-in-order'],
  'unsignaled-completes': ['rc-send-unasked', 'unreliable-send-unasked'],
  'send-completion-opcode': ['rc-send-completion-describes', 'unreliable-send-describes'],
  'psn-skipped': ['rc-request-skipped'],
  'read-takes-one-psn': [
    'rc-request-skipped',
    'rc-retransmission-uncaused',
    'rc-retransmission-starts-late',
    'rc-send-completes',
  ],
  'read-depth-exceeded': ['rc-reads-outstanding'],
  'atomics-not-limited': ['rc-reads-outstanding'],
  'stalled-read-overtaken': ['rc-reads-outstanding'],
  'fence-ignored': ['rc-request-fenced'],
  'sqd-starts-requests': ['rc-request-drained'],
  'payload-repeated': ['rc-request-payload'],
  'retry-reported-as-error': ['rc-sound-requester-keeps-state'],
  'post-in-error-ignored': ['rc-send-flushed'],
} satisfies MutantEntries;
