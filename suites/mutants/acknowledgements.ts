import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/acknowledgements.ts`. */
export const acknowledgements = {
  'ack-psn-off-by-one': ['rc-send-complete-asked', 'rc-write-complete-asked'],
  'ack-request-ignored': ['rc-send-complete-asked', 'rc-write-complete-asked'],
  'ack-msn-behind': ['rc-msn-counts-messages'],
  'atomic-ack-msn-behind': ['rc-msn-counts-messages'],
  'msn-per-packet': ['rc-msn-counts-messages'],
  'msn-not-for-read': ['rc-msn-counts-messages'],
  'msn-starts-at-one': ['rc-msn-counts-messages'],
  'nak-msn-zero': ['rc-msn-in-nak'],
  'rnr-wrong-timer': ['rc-receiver-not-ready'],
  'rnr-psn-next': ['rc-receiver-not-ready'],
  // The WQE is gone, so that a request which has one is refused once more.
  'rnr-consumes-wqe': ['rc-send-complete-asked', 'rc-send-complete-unasked', 'rc-write-immediate-unasked'],
  'rnr-silent': ['rc-receiver-not-ready', 'rc-effects-no-receive'],
  'access-error-as-invalid-request': ['rc-remote-access-denied', 'rc-effects-remote-key-immediate'],
  'invalid-request-as-operational': [
    'rc-opcode-out-of-sequence',
    'rc-length-wrong',
    'rc-request-unsupported',
  ],
  'operational-as-access-error': ['rc-receive-buffer-faulty', 'rc-effects-receive-key'],
  'read-response-all-only': ['rc-read-executed', 'rc-effects-read'],
  'read-response-psn-stuck': ['rc-read-executed'],
  'atomic-returns-new-value': ['rc-atomic-data'],
} satisfies MutantEntries;
