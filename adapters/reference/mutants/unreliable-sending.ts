import type { Mutant } from './table.ts';

/** Faults of a UC or UD QP as requester. */
export const unreliableSending = [
  {
    id: 'uc-retransmits',
    says: 'Sends the last packet of a UC message once more when nobody answers.',
    breaks: 'UC sends nothing again',
    statements: ['ee-uc-loss-no-retransmit'],
  },
  {
    id: 'unreliable-psn-skipped',
    says: 'Leaves a PSN out between two UC or UD messages.',
    breaks: 'PSNs follow each other',
    statements: ['ee-one-wr-one-message'],
  },
  {
    id: 'unreliable-psn-repeated',
    says: 'Begins a UC or UD message with the PSN that the one before ended with.',
    breaks: 'PSNs follow each other',
    statements: ['ee-one-wr-one-message'],
  },
  {
    id: 'uc-middle-left-out',
    says: 'Sends UC messages without their Middle packets.',
    breaks: 'a message is sent whole',
    statements: ['ee-message-segmentation'],
  },
  {
    id: 'uc-packets-swapped',
    says: 'Sends the packets of a UC message in pairs, the later one first.',
    breaks: 'packets leave in the order of their PSNs',
    statements: ['ee-message-segmentation'],
  },
  {
    id: 'unreliable-newest-first',
    says: 'Sends the newest UC or UD request first.',
    breaks: 'requests leave in the order in which they were posted',
    statements: ['ee-one-wr-one-message'],
  },
  {
    id: 'unreliable-completion-missing',
    says: 'Gives no completion for a UC or UD request that was sent.',
    breaks: 'a request that was sent completes',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'unreliable-completion-doubled',
    says: 'Completes a UC or UD request twice.',
    breaks: 'a request completes once',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'unreliable-unsignaled-not-sent',
    says: 'Sends no UC or UD request that asks for no completion.',
    breaks: 'every request is sent',
    statements: ['ee-one-wr-one-message'],
  },
  {
    id: 'unreliable-sends-again-anew',
    says: 'Sends the last packet of a UC or UD message once more, with the next PSN.',
    breaks: 'nothing is sent that was not posted',
    statements: ['ee-one-wr-one-message'],
  },
  {
    id: 'immediate-zero-sent',
    says: 'Sends 0 as immediate data.',
    breaks: 'immediate data are those of the work request',
    statements: ['ee-write-imm-known-at-last'],
  },
  {
    id: 'solicited-never',
    says: 'Never asks for a solicited event.',
    breaks: 'a request asks for a solicited event where software does',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'uc-write-length-of-packet',
    says: 'Announces the first packet alone as length of a UC WRITE.',
    breaks: 'DMALen is the sum of the elements',
    statements: ['ee-remote-length-is-sge-sum'],
  },
  {
    id: 'uc-every-packet-only',
    says: 'Sends every packet of a UC message as an Only.',
    breaks: 'the opcode says where in its message a packet stands',
    statements: ['ee-write-opcode-table'],
  },
  {
    id: 'uc-short-packets',
    says: 'Sends packets of half the path MTU.',
    breaks: 'all packets but the last fill the path MTU',
    statements: ['ee-message-segmentation'],
  },
  {
    id: 'uc-sends-to-itself',
    says: 'Sends UC packets to its own number at the peer.',
    breaks: 'UC packets go to the QP that the QP is connected to',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'ud-number-of-last',
    says: 'Sends a datagram to the QP number of the one before.',
    breaks: 'a datagram goes where its work request says',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'ud-qkey-always-own',
    says: 'Shows its own Q_Key in every datagram.',
    breaks: 'a datagram shows the Q_Key of its work request',
    statements: ['ee-drop-qkey'],
  },
  {
    id: 'ud-qkey-top-bit-sent',
    says: 'Shows a Q_Key with the highest bit as it stands in the work request.',
    breaks: 'the highest bit asks for the Q_Key of the own QP',
    statements: ['ee-drop-qkey'],
  },
  {
    id: 'ud-source-of-destination',
    says: 'Names the destination as source of a datagram.',
    breaks: 'a datagram names the QP that sends it',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'ud-long-status',
    says: 'Reports a datagram that is too long as a protection error.',
    breaks: 'a datagram that is too long vanishes, or fails with a length error',
    statements: ['ee-send-ud-single-packet'],
  },
  {
    id: 'ud-long-split',
    says: 'Sends a long datagram in several packets.',
    breaks: 'a datagram is one packet',
    statements: ['ee-send-ud-single-packet'],
  },
  {
    id: 'unreliable-wrong-icrc',
    says: 'Sends UC and UD packets with a wrong ICRC.',
    breaks: 'every packet has a right ICRC',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'unreliable-sends-after-failure',
    says: 'Sends what is behind a failed UC or UD request.',
    breaks: 'nothing is sent in SQE',
    statements: ['ee-flush-on-sqe'],
  },
] as const satisfies readonly Mutant[];
