import type { Mutant } from './table.ts';

/** Faults in what a responder does to memory and to its receive queue. */
export const responderMemory = [
  {
    id: 'refused-write-stored',
    says: 'Stores the payload of an RDMA WRITE that it then refuses.',
    breaks: 'a refused request leaves memory alone',
    statements: ['rx-rq-ignores-new-until-epsn'],
  },
  {
    id: 'padding-written',
    says: 'Writes the padding of a packet behind its payload.',
    breaks: 'a request writes no byte that it does not name',
    statements: ['ee-remote-prot-out-of-range'],
  },
  {
    id: 'receive-queue-last-first',
    says: 'Takes the receive WQE that was posted last.',
    breaks: 'receive WQEs are taken in the order in which they were posted',
    statements: [],
  },
] as const satisfies readonly Mutant[];
