import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/responder-replies.ts`. */
export const responderReplies = {
  'response-wrong-icrc': ['rc-response-header'],
  'response-wrong-pkey': ['rc-response-header'],
  'response-to-own-number': ['rc-response-addressee'],
  'nak-with-payload': ['rc-response-header'],
  'reserved-syndrome': ['rc-response-header'],
  'credits-beyond-posted': ['rc-ack-credits'],
  'read-nak-psn-of-request': ['rc-read-denied-midway'],
  'tail-loss-guessed': ['rc-response-unasked'],
  'send-packet-unacknowledged': ['rc-send-packet-asked'],
  'write-packet-unacknowledged': ['rc-write-packet-asked'],
  'unasked-write-refused': ['rc-write-complete-unasked'],
  'rnr-for-plain-write': ['rc-write-complete-asked', 'rc-write-packet-asked', 'rc-write-complete-unasked'],
  'rnr-timer-four-bits': ['rc-receiver-not-ready'],
  'rnr-timer-zero-replaced': ['rc-receiver-not-ready'],
} satisfies MutantEntries;
