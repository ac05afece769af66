import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/responses.ts`. */
export const responses = {
  'ghost-ack-completes': ['rc-send-unacknowledged'],
  'coalesced-ack-completes-one': ['rc-send-completes'],
  'nak-acknowledges-nothing': ['rc-request-completed-again', 'rc-send-completes'],
  'ack-completes-open-read': ['rc-send-unacknowledged', 'rc-memory-fetched', 'rc-retransmission-starts-late'],
  'ack-completes-open-atomic': [
    'rc-send-unacknowledged',
    'rc-memory-fetched',
    'rc-retransmission-starts-late',
  ],
  'read-gap-accepted': ['rc-send-unacknowledged', 'rc-memory-fetched'],
  'read-completes-early': ['rc-send-unacknowledged', 'rc-memory-fetched'],
  'read-data-misplaced': ['rc-memory-fetched'],
  'late-read-overwrites': ['rc-memory-fetched'],
  'late-atomic-overwrites': ['rc-memory-fetched'],
  'read-length-unchecked': ['rc-send-unacknowledged', 'rc-memory-fetched'],
  'reserved-syndrome-as-ack': ['rc-send-unacknowledged'],
  'reserved-nak-as-sequence-error': ['rc-retransmission-uncaused', 'rc-timeout-early', 'rc-timeout-disabled'],
  'response-icrc-unchecked': ['rc-send-unacknowledged'],
  'response-source-unchecked': ['rc-send-unacknowledged'],
  'response-psn-without-wrap': ['rc-send-completes', 'rc-sequence-nak-retransmits'],
} satisfies MutantEntries;
