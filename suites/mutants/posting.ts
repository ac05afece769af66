import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/posting.ts`. */
export const posting = {
  'post-send-before-rts': ['post-send-too-early'],
  'post-send-kept-for-rts': ['post-send-too-early'],
  'post-send-refused-in-sqd': ['post-send-held'],
  'post-send-flushed-in-sqd': ['flush-uncaused'],
  'sqd-request-completes': ['completion-held'],
  'post-send-held-in-sqe': ['flush-send-in-sqe'],
  'post-send-refused-in-err': ['post-send-flushed'],
  'post-send-unsignaled-refused': ['post-send-accepted'],
  'send-queue-overfilled': ['post-send-queue-full'],
  'post-recv-in-reset': ['post-receive-too-early'],
  'post-recv-refused-in-init': ['post-receive-accepted'],
  'post-recv-refused-in-sqd': ['post-receive-accepted'],
  'post-recv-held-in-err': ['post-receive-flushed'],
  'post-recv-refused-in-err': ['post-receive-flushed'],
  'receive-queue-overfilled': ['post-receive-queue-full'],
  'shared-queue-overfilled': ['post-shared-receive-queue-full'],
  'shared-receive-refused': ['post-shared-receive-accepted'],
  'refused-post-fatal': ['state-after-refused-post'],
  'flushed-post-resets': ['state-after-flushed-post'],
} satisfies MutantEntries;
