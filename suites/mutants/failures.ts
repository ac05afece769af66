import type { MutantEntries } from './entry.ts';

const notJudged = 'the rules of the requester are not written yet';

/** Rules broken by the mutants of `adapters/reference/mutants/failures.ts`. */
export const failures = {
  'fatal-nak-retried': { notJudged },
  'remote-invalid-request-as-access': { notJudged },
  'remote-access-as-operational': { notJudged },
  'remote-operational-as-invalid-request': { notJudged },
  'fatal-nak-fails-oldest': { notJudged },
  'retry-exhausted-status': { notJudged },
  'rnr-exhausted-status': { notJudged },
  'failed-request-succeeds': { notJudged },
  'unsignaled-failure-silent': { notJudged },
  'failure-completed-twice': { notJudged },
  'failure-leaves-qp-in-rts': { notJudged },
  'transmits-after-failure': { notJudged },
  'send-queue-not-flushed': { notJudged },
  'flush-reversed': { notJudged },
  'flush-status': { notJudged },
  'failure-after-flush': { notJudged },
} satisfies MutantEntries;
