import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/queues.ts`. */
export const queues = {
  'cq-overflow-silent': ['cq-overflow-reported'],
  'cq-overflow-survived': ['cq-error-takes-no-more'],
  'cq-error-not-spread': ['cq-error-spreads'],
  'fatal-event-state-kept': ['state-after-fatal-event'],
  'shared-queue-flushed': ['flush-shared-receive'],
  'flush-unprompted': ['flush-uncaused'],
  'last-wqe-missing': ['last-wqe-completed', 'last-wqe-srq-empty'],
  'last-wqe-repeated': ['last-wqe-again'],
  'last-wqe-without-srq': ['last-wqe-undue'],
  'srq-limit-missing': ['srq-limit-reached'],
  'srq-limit-early': ['srq-limit-too-early'],
  'srq-limit-late': ['srq-limit-reached'],
  'srq-limit-repeated': ['srq-limit-disarmed'],
  'srq-limit-once': ['srq-limit-reached'],
  'srq-limit-refused': ['srq-limit-settable'],
  'srq-resized-anyway': ['srq-size-fixed'],
  'srq-limit-not-told': ['srq-query-armed'],
  'srq-limit-told-after': ['srq-query-raised'],
  'srq-limit-of-size': ['srq-query-unset'],
  'drained-unasked': ['drained-undue'],
  'drained-missing': ['drained'],
  'drained-early': ['drained-too-early'],
  'drained-repeated': ['drained-again'],
} satisfies MutantEntries;
