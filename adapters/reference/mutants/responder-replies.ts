import type { Mutant } from './table.ts';

/** Faults in what a responder sends. */
export const responderReplies = [
  {
    id: 'response-wrong-icrc',
    says: 'Sends responses with a wrong ICRC.',
    breaks: 'every packet carries the ICRC of its bytes',
    statements: [],
  },
  {
    id: 'response-wrong-pkey',
    says: 'Sends responses with a P_Key that is not that of the QP.',
    breaks: 'responses carry the P_Key of the QP',
    statements: [],
  },
  {
    id: 'response-to-own-number',
    says: 'Addresses responses to its own QP number.',
    breaks: 'responses go to the QP that the responder is connected to',
    statements: ['rc-ack-goes-to-configured-destination', 'rc-misconfigured-ack-destination'],
  },
  {
    id: 'nak-with-payload',
    says: 'Sends NAKs with four bytes of payload.',
    breaks: 'a NAK has no payload',
    statements: ['rx-read-nak-no-payload'],
  },
  {
    id: 'reserved-syndrome',
    says: 'Acknowledges with a syndrome of the reserved kind.',
    breaks: 'syndromes of kind 2 are reserved',
    statements: ['rx-aeth-syndrome-table'],
  },
  {
    id: 'credits-beyond-posted',
    says: 'Offers one credit more than receive WQEs are posted.',
    breaks: 'credits count posted receive WQEs',
    statements: ['rx-aeth-syndrome-table'],
  },
  {
    id: 'read-nak-psn-of-request',
    says: 'Refuses a READ midway with the PSN of the request.',
    breaks: 'a NAK that ends READ responses has the PSN of the one that it replaces',
    statements: ['rx-read-nak-psn'],
  },
  {
    id: 'tail-loss-guessed',
    says: 'Sends a sequence NAK where a message does not go on for a while.',
    breaks: 'a lost last packet is not seen by the responder',
    statements: ['rx-rq-cannot-detect-tail-loss'],
  },
  {
    id: 'send-packet-unacknowledged',
    says: 'Ignores AckReq of SEND First and Middle.',
    breaks: 'a SEND packet with AckReq is acknowledged',
    statements: ['rx-retry-first-response-psn'],
  },
  {
    id: 'write-packet-unacknowledged',
    says: 'Ignores AckReq of RDMA WRITE First and Middle.',
    breaks: 'a WRITE packet with AckReq is acknowledged',
    statements: ['rx-retry-first-response-psn'],
  },
  {
    id: 'unasked-write-refused',
    says: 'Refuses the end of an RDMA WRITE that does not ask for an ACK.',
    breaks: 'AckReq is a wish of the requester and no condition',
    statements: ['rx-retry-epsn-advances'],
  },
  {
    id: 'rnr-for-plain-write',
    says: 'Sends an RNR NAK for an RDMA WRITE without immediate data while no receive WQE is posted.',
    breaks: 'a WRITE without immediate data needs no receive WQE',
    statements: ['rx-rnr-reason-no-rq-wqe'],
  },
  {
    id: 'rnr-timer-four-bits',
    says: 'Sends the lower four bits of min_rnr_timer only.',
    breaks: 'an RNR NAK carries one of 32 timer codes',
    statements: ['rx-rnr-nak-carries-timer', 'rx-rnr-timer-table', 'rc-min-rnr-timer-table'],
  },
  {
    id: 'rnr-timer-zero-replaced',
    says: 'Sends timer code 1 where min_rnr_timer is 0.',
    breaks: 'code 0 is the longest wait, not none',
    statements: ['rc-min-rnr-timer-zero-not-off'],
  },
] as const satisfies readonly Mutant[];
