import type { Mutant } from './table.ts';

/** Faults in the contents of answers. */
export const acknowledgements = [
  {
    id: 'ack-psn-off-by-one',
    says: 'Sends ACKs with the PSN one too high.',
    breaks: 'an ACK carries the PSN of the newest request it acknowledges',
    statements: ['rx-retry-first-response-psn'],
  },
  {
    id: 'ack-request-ignored',
    says: 'Never acknowledges a SEND or WRITE.',
    breaks: 'a request with AckReq is acknowledged',
    statements: ['rc-ack-travels-to-requester'],
  },
  {
    id: 'ack-msn-behind',
    says: 'Sends ACKs with the MSN from before the message.',
    breaks: 'an ACK counts the message it acknowledges',
    statements: [],
  },
  {
    id: 'atomic-ack-msn-behind',
    says: 'Sends atomic ACKs with the MSN from before the atomic.',
    breaks: 'an atomic ACK counts its atomic',
    statements: [],
  },
  {
    id: 'msn-per-packet',
    says: 'Counts packets in the MSN instead of messages.',
    breaks: 'the MSN counts messages',
    statements: [],
  },
  {
    id: 'msn-not-for-read',
    says: 'Does not count READs in the MSN.',
    breaks: 'the MSN counts READs',
    statements: [],
  },
  { id: 'msn-starts-at-one', says: 'Begins with MSN 1.', breaks: 'the MSN begins with 0', statements: [] },
  {
    id: 'nak-msn-zero',
    says: 'Sends NAKs with MSN 0.',
    breaks: 'a NAK carries the count of completed messages',
    statements: [],
  },
  {
    id: 'rnr-wrong-timer',
    says: 'Sends RNR NAKs with the timer code one higher than set.',
    breaks: 'an RNR NAK carries min_rnr_timer',
    statements: ['rx-rnr-timer-from-qp-setup', 'rc-rnr-nak-embeds-timer'],
  },
  {
    id: 'rnr-psn-next',
    says: 'Sends RNR NAKs with the PSN one too high.',
    breaks: 'an RNR NAK carries the PSN of the request',
    statements: ['rx-rnr-nak-psn'],
  },
  {
    id: 'rnr-consumes-wqe',
    says: 'Loses the receive WQE that is posted after an RNR NAK.',
    breaks: 'an RNR NAK uses no receive WQE',
    statements: ['rx-rnr-does-not-touch-rq'],
  },
  {
    id: 'rnr-silent',
    says: 'Says nothing when no receive WQE is posted.',
    breaks: 'a SEND without receive WQE gets an RNR NAK',
    statements: ['rc-rnr-empty-rq'],
  },
  {
    id: 'access-error-as-invalid-request',
    says: 'Reports a remote access error as an invalid request.',
    breaks: 'an R_Key violation is a remote access error',
    statements: ['ee-write-rkey', 'ee-rdatomic-rkey'],
  },
  {
    id: 'invalid-request-as-operational',
    says: 'Reports an invalid request as a remote operational error.',
    breaks: 'an invalid request has NAK code 1',
    statements: ['ee-rem-inv-req-bad-opcode'],
  },
  {
    id: 'operational-as-access-error',
    says: 'Reports its own local fault as a remote access error.',
    breaks: 'a fault of the receive WQE is a remote operational error',
    statements: ['ee-loc-prot-responder-nak'],
  },
  {
    id: 'read-response-all-only',
    says: 'Marks every READ response packet as Only.',
    breaks: 'responses of several packets go First, Middle, Last',
    statements: ['rc-read-responses-carry-data'],
  },
  {
    id: 'read-response-psn-stuck',
    says: 'Gives every response packet of a READ the same PSN.',
    breaks: 'READ response PSNs count up by one',
    statements: ['rx-dup-read-response-psn'],
  },
  {
    id: 'atomic-returns-new-value',
    says: 'Answers an atomic with the value after the operation.',
    breaks: 'an atomic returns the value from before',
    statements: ['rc-atomic-returns-original-8-bytes'],
  },
] as const satisfies readonly Mutant[];
