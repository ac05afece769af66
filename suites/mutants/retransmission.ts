import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/retransmission.ts`. */
export const retransmission = {
  'retransmission-unprompted': ['rc-retransmission-uncaused'],
  'duplicate-ack-retransmits': ['rc-retransmission-uncaused', 'rc-timeout-disabled', 'rc-timeout-early'],
  'sequence-nak-waits-for-timer': ['rc-sequence-nak-retransmits'],
  'sequence-nak-fatal': [
    'rc-sequence-nak-retransmits',
    'rc-retry-counted-timeout',
    'rc-retry-counted-sequence-nak',
    'rc-send-completes',
  ],
  'second-sequence-nak-ignored': ['rc-sequence-nak-retransmits'],
  'rnr-nak-fatal': ['rc-rnr-retry-counted', 'rc-rnr-retry-unlimited', 'rc-send-completes'],
  'rnr-nak-ignored': ['rc-rnr-wait-endless', 'rc-rnr-wait'],
  'retry-skips-one': ['rc-retransmission-starts-late'],
  'rnr-retry-skips-one': ['rc-retransmission-starts-late'],
  'retry-first-only': ['rc-retransmission-completed', 'rc-request-skipped'],
  'timeout-resends-newest': ['rc-retransmission-starts-late'],
  'retransmission-new-psn': ['rc-retransmission-starts-late', 'rc-request-unposted'],
  'retransmission-altered-payload': ['rc-repeat-same'],
  'retransmission-opcode-changed': ['rc-request-opcode', 'rc-repeat-same'],
  'read-retry-keeps-length': ['rc-request-target'],
  'read-retry-keeps-address': ['rc-request-target'],
  'implied-nak-ignored': ['rc-implied-nak', 'rc-implied-nak-by-nak'],
  'implied-nak-retries-one-request': ['rc-retransmission-completed'],
} satisfies MutantEntries;
