import type { Mutant } from './table.ts';

/** Faults in how a requester fails. */
export const failures = [
  {
    id: 'fatal-nak-retried',
    says: 'Sends again for a NAK that cannot be mended.',
    breaks: 'Invalid Request, Remote Access and Remote Operational errors are not retried',
    statements: ['rx-retryable-naks'],
  },
  {
    id: 'remote-invalid-request-as-access',
    says: 'Reports an invalid request as a remote access error.',
    breaks: 'NAK code 1 completes with IBV_WC_REM_INV_REQ_ERR',
    statements: ['rc-overrun-requester-completion', 'rx-nak-code-table'],
  },
  {
    id: 'remote-access-as-operational',
    says: 'Reports a remote access error as a remote operational error.',
    breaks: 'NAK code 2 completes with IBV_WC_REM_ACCESS_ERR',
    statements: ['rx-nak-code-table'],
  },
  {
    id: 'remote-operational-as-invalid-request',
    says: 'Reports a remote operational error as an invalid request.',
    breaks: 'NAK code 3 completes with IBV_WC_REM_OP_ERR',
    statements: ['rx-nak-code-table'],
  },
  {
    id: 'fatal-nak-fails-oldest',
    says: 'Fails the oldest request for the NAK of a later one.',
    breaks: 'what came before a refused request completes',
    statements: ['rx-psn-nak-coalesces-earlier'],
  },
  {
    id: 'retry-exhausted-status',
    says: 'Reports spent retries as a remote operational error.',
    breaks: 'spent retries complete with IBV_WC_RETRY_EXC_ERR',
    statements: ['rx-exhaustion-cqe-transport-retry', 'rc-retry-cnt-exhaustion', 'rx-exhaustion-without-apm'],
  },
  {
    id: 'rnr-exhausted-status',
    says: 'Reports spent RNR retries as spent retries.',
    breaks: 'spent RNR retries complete with IBV_WC_RNR_RETRY_EXC_ERR',
    statements: ['rx-rnr-exhaustion-cqe', 'rc-rnr-retry-exhaustion'],
  },
  {
    id: 'failed-request-succeeds',
    says: 'Completes a failed request with success.',
    breaks: 'a failed request completes in error',
    statements: ['rx-exhaustion-cqe-transport-retry', 'rx-rnr-exhaustion-cqe'],
  },
  {
    id: 'unsignaled-failure-silent',
    says: 'Gives no completion for a failed request that was not signaled.',
    breaks: 'a failed request completes even where it was not signaled',
    statements: ['rx-exhaustion-cqe-transport-retry', 'rx-rnr-exhaustion-cqe'],
  },
  {
    id: 'failure-completed-twice',
    says: 'Completes a failed request twice.',
    breaks: 'a failed request completes once',
    statements: ['rx-exhaustion-cqe-transport-retry'],
  },
  {
    id: 'failure-leaves-qp-in-rts',
    says: 'Goes on with the next request after a failed one.',
    breaks: 'a failed request moves the QP to ERR',
    statements: ['rx-exhaustion-qp-to-error', 'rx-rnr-exhaustion-qp-error'],
  },
  {
    id: 'transmits-after-failure',
    says: 'Sends the failed request once more.',
    breaks: 'nothing is sent in ERR',
    statements: ['rx-exhaustion-qp-to-error', 'rx-rnr-exhaustion-qp-error'],
  },
  {
    id: 'send-queue-not-flushed',
    says: 'Forgets what is behind a failed request.',
    breaks: 'every request behind a failed one is flushed',
    statements: ['rx-exhaustion-flushes-later-wqes', 'rx-rnr-exhaustion-flush'],
  },
  {
    id: 'flush-reversed',
    says: 'Flushes the send queue from its end.',
    breaks: 'requests are flushed in the order in which they were posted',
    statements: ['rx-exhaustion-flushes-later-wqes', 'rx-rnr-exhaustion-flush'],
  },
  {
    id: 'flush-status',
    says: 'Flushes the send queue with a general error.',
    breaks: 'a flushed request completes with IBV_WC_WR_FLUSH_ERR',
    statements: ['rx-exhaustion-flushes-later-wqes', 'rx-rnr-exhaustion-flush'],
  },
  {
    id: 'failure-after-flush',
    says: 'Reports a failed request behind those that it flushes.',
    breaks: 'requests behind a failed one are flushed after it',
    statements: ['rx-exhaustion-flushes-later-wqes', 'rx-rnr-exhaustion-flush'],
  },
] as const satisfies readonly Mutant[];
