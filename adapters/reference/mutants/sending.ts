import type { Mutant } from './table.ts';

/** Faults of a send queue that loses nothing. */
export const sending = [
  {
    id: 'completions-swapped',
    says: 'Completes requests that are acknowledged together in the wrong order.',
    breaks: 'requests complete in the order in which they were posted',
    statements: ['rx-sq-first-response-extends-acked', 'rx-implied-nak-retransmit'],
  },
  {
    id: 'send-completion-doubled',
    says: 'Completes a request twice.',
    breaks: 'a request completes once',
    statements: ['rx-cause-response-lost-or-late', 'rx-sq-dup-ack-equal-psn-dropped'],
  },
  {
    id: 'send-completion-missing',
    says: 'Gives no completion for a READ.',
    breaks: 'a signaled request completes',
    statements: ['rx-cause-response-lost-or-late'],
  },
  {
    id: 'unsignaled-completes',
    says: 'Completes requests that were not signaled.',
    breaks: 'a request that was not signaled completes only in error',
    statements: [],
  },
  {
    id: 'send-completion-opcode',
    says: 'Reports every request as a SEND.',
    breaks: 'a completion names the operation',
    statements: [],
  },
  {
    id: 'psn-skipped',
    says: 'Leaves out a PSN between two messages.',
    breaks: 'PSNs count up by one',
    statements: ['rc-psn-gives-order'],
  },
  {
    id: 'read-takes-one-psn',
    says: 'Counts a READ of several responses as one PSN.',
    breaks: 'a READ takes as many PSNs as it has responses',
    statements: ['rc-psn-gives-order'],
  },
  {
    id: 'read-depth-exceeded',
    says: 'Keeps one READ or ATOMIC more outstanding than max_rd_atomic.',
    breaks: 'max_rd_atomic bounds the READs and ATOMICs outstanding',
    statements: ['rc-max-rd-atomic-bounds-outstanding'],
  },
  {
    id: 'atomics-not-limited',
    says: 'Counts only READs against max_rd_atomic.',
    breaks: 'max_rd_atomic bounds ATOMICs as well',
    statements: ['rc-max-rd-atomic-bounds-outstanding'],
  },
  {
    id: 'stalled-read-overtaken',
    says: 'Sends what is behind a READ that has to wait.',
    breaks: 'a READ that has to wait holds up all behind it',
    statements: ['rc-max-rd-atomic-stalls-sq'],
  },
  {
    id: 'fence-ignored',
    says: 'Sends a fenced request while READs are open.',
    breaks: 'a fenced request waits for the READs and ATOMICs before it',
    statements: [],
  },
  {
    id: 'sqd-starts-requests',
    says: 'Starts new requests in SQD.',
    breaks: 'in SQD no request is started',
    statements: [],
  },
  {
    id: 'post-in-error-ignored',
    says: 'Forgets a request posted in ERR.',
    breaks: 'a request posted in ERR is flushed',
    statements: [],
  },
  {
    id: 'payload-repeated',
    says: 'Puts the first bytes of a message into each of its packets.',
    breaks: 'a packet carries the bytes that are its own',
    statements: ['rx-retry-uses-original-psn'],
  },
  {
    id: 'retry-reported-as-error',
    says: 'Tells ERR as the state of a QP that is sending again.',
    breaks: 'what can be retried leaves the QP in its state',
    statements: ['rx-retryable-naks'],
  },
] as const satisfies readonly Mutant[];
