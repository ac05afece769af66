import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/failures.ts`. */
export const failures = {
  'fatal-nak-retried': ['rc-send-failed', 'rc-request-unposted'],
  'remote-invalid-request-as-access': ['rc-send-failed'],
  'remote-access-as-operational': ['rc-send-failed'],
  'remote-operational-as-invalid-request': ['rc-send-failed'],
  'fatal-nak-fails-oldest': ['rc-send-completes'],
  'retry-exhausted-status': ['rc-retry-exhausted', 'rc-send-failed'],
  'rnr-exhausted-status': ['rc-send-failed'],
  'failed-request-succeeds': ['rc-send-failed', 'rc-send-unacknowledged'],
  'unsignaled-failure-silent': ['rc-send-failed', 'rc-send-completes-in-order'],
  'failure-completed-twice': ['rc-send-completed-again'],
  'failure-leaves-qp-in-rts': ['rc-failed-requester-in-error', 'rc-send-flushed'],
  'transmits-after-failure': ['rc-request-unposted', 'rc-retry-exhausted'],
  'send-queue-not-flushed': ['rc-send-flushed', 'flush-send-in-error'],
  'flush-reversed': ['rc-send-completes-in-order'],
  'flush-status': ['rc-send-flushed'],
  'failure-after-flush': ['rc-send-completes-in-order', 'rc-send-unacknowledged'],
} satisfies MutantEntries;
