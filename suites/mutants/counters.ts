import type { MutantEntries } from './entry.ts';

const notJudged = 'the rules of the requester are not written yet';

/** Rules broken by the mutants of `adapters/reference/mutants/counters.ts`. */
export const counters = {
  'one-retry-less': { notJudged },
  'one-retry-more': { notJudged },
  'retry-seven-infinite': { notJudged },
  'timeout-not-counted': { notJudged },
  'sequence-nak-not-counted': { notJudged },
  'implied-nak-not-counted': { notJudged },
  'retry-counter-never-reloaded': { notJudged },
  'retry-counter-reloaded-by-duplicates': { notJudged },
  'one-rnr-retry-less': { notJudged },
  'one-rnr-retry-more': { notJudged },
  'rnr-seven-finite': { notJudged },
  'rnr-counter-never-reloaded': { notJudged },
  'rnr-counter-reloaded-by-duplicates': { notJudged },
  'rnr-consumes-retries': { notJudged },
  'timeout-consumes-rnr-retries': { notJudged },
} satisfies MutantEntries;
