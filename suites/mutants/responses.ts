import type { MutantEntries } from './entry.ts';

const notJudged = 'the rules of the requester are not written yet';

/** Rules broken by the mutants of `adapters/reference/mutants/responses.ts`. */
export const responses = {
  'ghost-ack-completes': { notJudged },
  'coalesced-ack-completes-one': { notJudged },
  'nak-acknowledges-nothing': { notJudged },
  'ack-completes-open-read': { notJudged },
  'ack-completes-open-atomic': { notJudged },
  'read-gap-accepted': { notJudged },
  'read-completes-early': { notJudged },
  'read-data-misplaced': { notJudged },
  'late-read-overwrites': { notJudged },
  'late-atomic-overwrites': { notJudged },
  'read-length-unchecked': { notJudged },
  'reserved-syndrome-as-ack': { notJudged },
  'reserved-nak-as-sequence-error': { notJudged },
  'response-icrc-unchecked': { notJudged },
  'response-source-unchecked': { notJudged },
  'response-psn-without-wrap': { notJudged },
} satisfies MutantEntries;
