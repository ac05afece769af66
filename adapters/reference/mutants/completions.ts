import type { Mutant } from './table.ts';

/** Faults in what software at the responder sees. */
export const completions = [
  {
    id: 'qp-survives-fatal-nak',
    says: 'Stays in its state after a fatal NAK.',
    breaks: 'a fatal NAK moves the QP to ERR',
    statements: [
      'ee-send-responder-error-state',
      'ee-write-responder-error-state',
      'ee-rdatomic-responder-error-state',
    ],
  },
  {
    id: 'receive-queue-not-flushed',
    says: 'Forgets the receive WQEs on entering ERR.',
    breaks: 'every receive WQE is flushed in ERR',
    statements: ['ee-flush-on-error'],
  },
  {
    id: 'async-event-missing',
    says: 'Raises no event for a fault without receive WQE.',
    breaks: 'a fault without receive WQE raises an event',
    statements: ['ee-write-noimm-async-only'],
  },
  {
    id: 'completion-missing',
    says: 'Gives no completion for a received message.',
    breaks: 'every received message completes its WQE',
    statements: [],
  },
  {
    id: 'completion-doubled',
    says: 'Completes a received message twice.',
    breaks: 'every received message completes once',
    statements: [],
  },
  {
    id: 'byte-len-of-last-packet',
    says: 'Reports the length of the last packet as byte_len.',
    breaks: 'byte_len is the length of the message',
    statements: [],
  },
  {
    id: 'write-immediate-byte-len-zero',
    says: 'Reports byte_len 0 for a WRITE with immediate.',
    breaks: 'byte_len of a WRITE with immediate is its length',
    statements: [],
  },
  {
    id: 'immediate-byte-order',
    says: 'Swaps the bytes of immediate data.',
    breaks: 'immediate data arrives as sent',
    statements: [],
  },
  {
    id: 'write-immediate-takes-no-wqe',
    says: 'Takes no receive WQE for a WRITE with immediate.',
    breaks: 'a WRITE with immediate takes a receive WQE',
    statements: ['rx-rnr-reason-no-rq-wqe'],
  },
  {
    id: 'established-repeated',
    says: 'Raises COMM_EST for every packet in RTR.',
    breaks: 'COMM_EST is raised once',
    statements: ['ee-comm-est-once'],
  },
] as const satisfies readonly Mutant[];
