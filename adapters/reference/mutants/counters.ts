import type { Mutant } from './table.ts';

/** Faults of the retry counters. */
export const counters = [
  {
    id: 'one-retry-less',
    says: 'Gives up one retry too early.',
    breaks: 'retry_cnt retries are made',
    statements: [
      'rx-retry-counter-exhaust-at-zero',
      'rc-retry-cnt-exhaustion',
      'rx-exhaustion-without-apm',
      'rx-retry-counter-3bit-initial',
      'rx-exhaustion-defined',
    ],
  },
  {
    id: 'one-retry-more',
    says: 'Makes one retry more than retry_cnt.',
    breaks: 'not more than retry_cnt retries are made',
    statements: [
      'rx-retry-counter-exhaust-at-zero',
      'rc-retry-cnt-exhaustion',
      'rc-retry-cnt-zero-single-attempt',
      'rx-exhaustion-without-apm',
      'rx-exhaustion-defined',
    ],
  },
  {
    id: 'retry-seven-infinite',
    says: 'Takes retry_cnt 7 for no limit.',
    breaks: 'retry_cnt 7 is seven retries',
    statements: ['rc-infinite-asymmetry', 'rc-retry-cnt-3bit'],
  },
  {
    id: 'timeout-not-counted',
    says: 'Counts no retry for a time-out.',
    breaks: 'each time-out uses a retry',
    statements: [
      'rx-retry-counter-on-timeout',
      'rc-retry-cnt-decrement-per-expiry',
      'rx-retry-counter-active-conditions',
    ],
  },
  {
    id: 'sequence-nak-not-counted',
    says: 'Counts no retry for a sequence NAK.',
    breaks: 'each sequence NAK uses a retry',
    statements: [
      'rx-retry-counter-on-seq-nak',
      'rx-psn-nak-decrements-retry',
      'rc-infinite-timer-retry-exc-possible',
      'rx-retry-counter-active-conditions',
      'rc-failed-retransmission-decrements',
    ],
  },
  {
    id: 'implied-nak-not-counted',
    says: 'Counts no retry for an implied NAK.',
    breaks: 'each implied NAK uses a retry',
    statements: ['rx-retry-counter-on-response-gap', 'rx-retry-counter-active-conditions'],
  },
  {
    id: 'retry-counter-never-reloaded',
    says: 'Counts retries over the whole life of the QP.',
    breaks: 'the retry counter is reloaded when a request is cleared',
    statements: ['rx-retry-reload-on-cleared-request', 'rx-retry-counter-reload-on-ack'],
  },
  {
    id: 'retry-counter-reloaded-by-duplicates',
    says: 'Reloads the retry counter for an ACK that it has seen already.',
    breaks: 'only progress reloads the retry counter',
    statements: ['rx-retry-counter-reload-on-ack'],
  },
  {
    id: 'one-rnr-retry-less',
    says: 'Gives up one RNR retry too early.',
    breaks: 'rnr_retry RNR retries are made',
    statements: [
      'rx-rnr-counter-exhaust-at-zero',
      'rx-rnr-counter-decrement',
      'rx-rnr-retry-while-nonzero',
      'rc-rnr-retry-exhaustion',
    ],
  },
  {
    id: 'one-rnr-retry-more',
    says: 'Makes one RNR retry more than rnr_retry.',
    breaks: 'not more than rnr_retry RNR retries are made',
    statements: [
      'rx-rnr-counter-exhaust-at-zero',
      'rx-rnr-counter-decrement',
      'rc-rnr-retry-exhaustion',
      'rc-rnr-retry-decrement',
    ],
  },
  {
    id: 'rnr-seven-finite',
    says: 'Takes rnr_retry 7 for seven retries.',
    breaks: 'rnr_retry 7 is no limit',
    statements: ['rx-rnr-counter-seven-infinite', 'rc-rnr-retry-seven-infinite', 'rc-infinite-asymmetry'],
  },
  {
    id: 'rnr-counter-never-reloaded',
    says: 'Counts RNR retries over the whole life of the QP.',
    breaks: 'the RNR counter is reloaded by an answer that clears a request',
    statements: ['rx-rnr-counter-reload'],
  },
  {
    id: 'rnr-counter-reloaded-by-duplicates',
    says: 'Reloads the RNR counter for an ACK that it has seen already.',
    breaks: 'only progress reloads the RNR counter',
    statements: ['rx-rnr-counter-reload'],
  },
  {
    id: 'rnr-consumes-retries',
    says: 'Counts an RNR NAK as a retry of both kinds.',
    breaks: 'an RNR NAK leaves the retry counter alone',
    statements: ['rx-two-retry-counters', 'rx-transport-timer-not-for-rnr', 'rx-retry-counter-table'],
  },
  {
    id: 'timeout-consumes-rnr-retries',
    says: 'Counts a time-out as a retry of both kinds.',
    breaks: 'a time-out leaves the RNR counter alone',
    statements: ['rx-two-retry-counters', 'rx-retry-counter-table'],
  },
] as const satisfies readonly Mutant[];
