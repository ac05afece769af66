import type { MutantEntries } from './entry.ts';

const notJudged = 'the rules of the requester are not written yet';

/** Rules broken by the mutants of `adapters/reference/mutants/sending.ts`. */
export const sending = {
  'completions-swapped': { notJudged },
  'send-completion-doubled': { notJudged },
  'send-completion-missing': { notJudged },
  'unsignaled-completes': { notJudged },
  'send-completion-opcode': { notJudged },
  'psn-skipped': { notJudged },
  'read-takes-one-psn': { notJudged },
  'read-depth-exceeded': { notJudged },
  'atomics-not-limited': { notJudged },
  'stalled-read-overtaken': { notJudged },
  'fence-ignored': { notJudged },
  'sqd-starts-requests': { notJudged },
  'post-in-error-ignored': { notJudged },
} satisfies MutantEntries;
