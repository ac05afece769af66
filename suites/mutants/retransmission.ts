import type { MutantEntries } from './entry.ts';

const notJudged = 'the rules of the requester are not written yet';

/** Rules broken by the mutants of `adapters/reference/mutants/retransmission.ts`. */
export const retransmission = {
  'retransmission-unprompted': { notJudged },
  'duplicate-ack-retransmits': { notJudged },
  'sequence-nak-waits-for-timer': { notJudged },
  'sequence-nak-fatal': { notJudged },
  'second-sequence-nak-ignored': { notJudged },
  'rnr-nak-fatal': { notJudged },
  'rnr-nak-ignored': { notJudged },
  'retry-skips-one': { notJudged },
  'rnr-retry-skips-one': { notJudged },
  'retry-first-only': { notJudged },
  'timeout-resends-newest': { notJudged },
  'retransmission-new-psn': { notJudged },
  'retransmission-altered-payload': { notJudged },
  'retransmission-opcode-changed': { notJudged },
  'read-retry-keeps-length': { notJudged },
  'read-retry-keeps-address': { notJudged },
  'implied-nak-ignored': { notJudged },
  'implied-nak-retries-one-request': { notJudged },
} satisfies MutantEntries;
