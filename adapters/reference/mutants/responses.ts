import type { Mutant } from './table.ts';

/** Faults in what a requester takes from answers. */
export const responses = [
  {
    id: 'ghost-ack-completes',
    says: 'Takes an ACK for what it never sent for an ACK of everything.',
    breaks: 'an ACK for what was never sent completes nothing',
    statements: ['rx-timer-restart-by-valid-response-only', 'rx-sq-first-response-extends-acked'],
  },
  {
    id: 'coalesced-ack-completes-one',
    says: 'Completes one request for an ACK of several.',
    breaks: 'an ACK completes every request up to its PSN',
    statements: [
      'rx-resp-loss-healed-by-coalescing',
      'rx-sq-first-response-extends-acked',
      'rx-sq-dup-ack-higher-psn-extends',
    ],
  },
  {
    id: 'nak-acknowledges-nothing',
    says: 'Takes from a NAK no word on the requests before it.',
    breaks: 'a NAK acknowledges what came before it',
    statements: ['rx-psn-nak-coalesces-earlier'],
  },
  {
    id: 'ack-completes-open-read',
    says: 'Completes a READ without its data for an ACK of a later request.',
    breaks: 'an ACK of a later request is an implied NAK of an open READ',
    statements: ['rx-implied-nak-definition', 'rx-resp-loss-read-detected-by-gap'],
  },
  {
    id: 'ack-completes-open-atomic',
    says: 'Completes an ATOMIC without its result for an answer to a later request.',
    breaks: 'an answer to a later request is an implied NAK of an open ATOMIC',
    statements: ['rx-resp-loss-atomic-detected-by-gap', 'rx-resp-loss-atomic-retried'],
  },
  {
    id: 'read-gap-accepted',
    says: 'Takes a READ response behind a missing one as if nothing were missing.',
    breaks: 'a gap in the responses to a READ is an implied NAK',
    statements: ['rx-resp-loss-read-detected-by-gap', 'rx-resp-loss-read-retried'],
  },
  {
    id: 'read-completes-early',
    says: 'Completes a READ at its first response.',
    breaks: 'a READ completes with its last response',
    statements: ['rx-implied-nak-definition'],
  },
  {
    id: 'read-data-misplaced',
    says: 'Puts the data of a retried READ at the start of the buffer.',
    breaks: 'the data of a retried READ go where they belong',
    statements: ['rc-read-retry-reduced', 'rx-resp-loss-read-retried'],
  },
  {
    id: 'late-read-overwrites',
    says: 'Stores the data of READ responses that it has had already.',
    breaks: 'READ responses seen already are dropped with their data',
    statements: ['rx-sq-dup-read-response-dropped'],
  },
  {
    id: 'late-atomic-overwrites',
    says: 'Stores the result of an ATOMIC that it has had already.',
    breaks: 'an ATOMIC response seen already is dropped',
    statements: ['rx-sq-dup-atomic-response-dropped'],
  },
  {
    id: 'read-length-unchecked',
    says: 'Takes READ responses of any length.',
    breaks: 'READ responses have the length that was asked for',
    statements: [],
  },
  {
    id: 'reserved-syndrome-as-ack',
    says: 'Takes a reserved syndrome for an ACK.',
    breaks: 'a reserved syndrome is no ACK',
    statements: ['rx-aeth-syndrome-table'],
  },
  {
    id: 'reserved-nak-as-sequence-error',
    says: 'Takes a reserved NAK code for a sequence error.',
    breaks: 'a reserved NAK code is no sequence error',
    statements: ['rx-nak-code-table'],
  },
  {
    id: 'response-icrc-unchecked',
    says: 'Takes answers with a wrong ICRC.',
    breaks: 'an answer with a wrong ICRC is dropped',
    statements: [],
  },
  {
    id: 'response-source-unchecked',
    says: 'Takes answers from any address.',
    breaks: 'an answer from a foreign address is dropped',
    statements: [],
  },
  {
    id: 'response-psn-without-wrap',
    says: 'Compares PSNs of answers as plain numbers.',
    breaks: 'PSNs of answers are compared modulo 2^24',
    statements: ['rx-sq-first-response-extends-acked', 'rc-psn-gives-order'],
  },
] as const satisfies readonly Mutant[];
