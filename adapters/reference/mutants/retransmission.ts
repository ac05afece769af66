import type { Mutant } from './table.ts';

/** Faults in what a requester sends again, and why. */
export const retransmission = [
  {
    id: 'retransmission-unprompted',
    says: 'Sends every fifth request packet twice.',
    breaks: 'nothing is sent again without a cause',
    statements: ['rx-four-retransmission-classes'],
  },
  {
    id: 'duplicate-ack-retransmits',
    says: 'Sends everything again for an ACK that it has seen already.',
    breaks: 'an ACK seen already is dropped',
    statements: [
      'rx-sq-dup-ack-equal-psn-dropped',
      'rx-four-retransmission-classes',
      'rx-cause-ghost-request',
      'rx-sq-second-response-psn-by-type',
    ],
  },
  {
    id: 'sequence-nak-waits-for-timer',
    says: 'Leaves the retry for a sequence NAK to the ACK timer.',
    breaks: 'a sequence NAK leads to a retry at once',
    statements: [
      'rx-psn-nak-triggers-retransmit',
      'rc-oos-nak-no-timer',
      'rx-sq-followers-arrive-psn-nak',
      'rc-infinite-timer-requester-recovers',
      'rc-three-triggers',
    ],
  },
  {
    id: 'sequence-nak-fatal',
    says: 'Fails at the first sequence NAK.',
    breaks: 'a sequence NAK is answered by a retry',
    statements: ['rx-retryable-naks', 'rx-psn-nak-triggers-retransmit', 'rx-requester-keeps-retrying'],
  },
  {
    id: 'second-sequence-nak-ignored',
    says: 'Ignores a sequence NAK that repeats the one before.',
    breaks: 'each sequence NAK leads to a retry',
    statements: ['rx-requester-keeps-retrying', 'rx-psn-nak-decrements-retry'],
  },
  {
    id: 'rnr-nak-fatal',
    says: 'Fails at the first RNR NAK.',
    breaks: 'an RNR NAK is answered by a retry',
    statements: [
      'rx-retryable-naks',
      'rx-rnr-nak-triggers-retransmit',
      'rx-rnr-other-reasons',
      'rx-rnr-retry-while-nonzero',
      'rc-three-triggers',
    ],
  },
  {
    id: 'rnr-nak-ignored',
    says: 'Leaves the retry for an RNR NAK to the ACK timer.',
    breaks: 'an RNR NAK is answered by a retry after its wait',
    statements: ['rx-rnr-nak-triggers-retransmit', 'rc-rnr-delay-then-retransmit'],
  },
  {
    id: 'retry-skips-one',
    says: 'Begins a retry one packet behind the one that is missing.',
    breaks: 'a retry begins with what is missing',
    statements: [
      'rx-requester-rewinds-to-failure',
      'rc-oos-nak-resends-sq-in-order',
      'rc-psn-suffices-for-lost-requests',
    ],
  },
  {
    id: 'rnr-retry-skips-one',
    says: 'Begins one packet behind the refused one when the RNR wait is over.',
    breaks: 'the refused packet is sent again after the RNR wait',
    statements: ['rx-rnr-retransmit-same-packet'],
  },
  {
    id: 'retry-first-only',
    says: 'Sends only the missing packet again, not what follows it.',
    breaks: 'a retry goes on in order with all that follows',
    statements: [
      'rc-oos-nak-resends-sq-in-order',
      'rx-requester-rewinds-to-failure',
      'rx-resp-loss-atomic-retries-followers',
      'rc-psn-suffices-for-lost-requests',
    ],
  },
  {
    id: 'timeout-resends-newest',
    says: 'Sends only the newest request again when it times out.',
    breaks: 'a time-out leads to a retry of the oldest request',
    statements: ['rx-timeout-retries-request', 'rx-retry-uses-original-psn'],
  },
  {
    id: 'retransmission-new-psn',
    says: 'Gives a packet sent again the next PSN.',
    breaks: 'a packet sent again has its old PSN',
    statements: ['rx-retry-uses-original-psn'],
  },
  {
    id: 'retransmission-altered-payload',
    says: 'Changes the payload of a packet sent again.',
    breaks: 'a packet sent again has its old payload',
    statements: ['rx-retry-uses-original-psn'],
  },
  {
    id: 'retransmission-opcode-changed',
    says: 'Sends every packet of a SEND or WRITE again as a Middle.',
    breaks: 'a packet sent again has its old opcode',
    statements: ['rx-retry-uses-original-psn'],
  },
  {
    id: 'read-retry-keeps-length',
    says: 'Asks for the rest of a READ with the length of the whole.',
    breaks: 'the rest of a READ is asked for with its own length',
    statements: ['rc-read-retry-reduced'],
  },
  {
    id: 'read-retry-keeps-address',
    says: 'Asks for the rest of a READ with the address of the whole.',
    breaks: 'the rest of a READ is asked for with its own address',
    statements: ['rc-read-retry-reduced'],
  },
  {
    id: 'implied-nak-ignored',
    says: 'Leaves the retry for an implied NAK to the ACK timer.',
    breaks: 'an implied NAK leads to a retry',
    statements: [
      'rx-implied-nak-retransmit',
      'rx-resp-loss-read-detected-by-gap',
      'rx-resp-loss-read-retried',
      'rx-resp-loss-atomic-detected-by-gap',
      'rx-resp-loss-atomic-retried',
    ],
  },
  {
    id: 'implied-nak-retries-one-request',
    says: 'Sends only the open READ or ATOMIC again after an implied NAK.',
    breaks: 'all that follows an open READ or ATOMIC is sent again as well',
    statements: [
      'rx-implied-nak-retransmit',
      'rx-resp-loss-read-retries-followers',
      'rx-resp-loss-atomic-retries-followers',
    ],
  },
] as const satisfies readonly Mutant[];
