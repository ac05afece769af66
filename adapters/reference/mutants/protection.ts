import type { Mutant } from './table.ts';

/** Faults in what a request may touch, and how long it may be. */
export const protection = [
  {
    id: 'zero-length-checks-rkey',
    says: 'Validates the R_Key of requests of length 0.',
    breaks: 'the R_Key of a zero-length request is not validated',
    statements: [],
  },
  {
    id: 'rkey-bounds-off-by-one',
    says: 'Lets requests reach one byte beyond a region.',
    breaks: 'a request stays inside the region',
    statements: ['ee-remote-prot-out-of-range'],
  },
  {
    id: 'access-right-unchecked',
    says: 'Does not look at the access rights of a region.',
    breaks: 'the region grants the right that the request needs',
    statements: ['ee-remote-prot-access'],
  },
  {
    id: 'qp-access-unchecked',
    says: 'Does not look at the access flags of the QP.',
    breaks: 'the QP enables the operation',
    statements: [],
  },
  {
    id: 'pd-unchecked',
    says: 'Does not look at the protection domain of a region.',
    breaks: 'region and QP have the same protection domain',
    statements: ['ee-pd-holds-mr-and-qp'],
  },
  {
    id: 'unaligned-atomic-accepted',
    says: 'Executes atomics at any address.',
    breaks: 'an atomic address is a multiple of 8',
    statements: ['ee-rdatomic-misaligned'],
  },
  {
    id: 'resource-overflow-executed',
    says: 'Executes READs and atomics although max_dest_rd_atomic is 0.',
    breaks: 'READs and atomics beyond max_dest_rd_atomic are refused',
    statements: ['ee-rdatomic-too-many'],
  },
  {
    id: 'dma-length-31-bits',
    says: 'Looks at the lower 31 bits of a DMALen only.',
    breaks: 'a DMALen above 2^31 is an invalid request',
    statements: ['ee-write-over-max', 'ee-rdatomic-over-max'],
  },
  {
    id: 'write-beyond-length-accepted',
    says: 'Takes WRITE packets beyond the announced DMALen.',
    breaks: 'a WRITE carries exactly its DMALen',
    statements: ['ee-rem-inv-req-bad-payload-length'],
  },
  {
    id: 'short-write-accepted',
    says: 'Takes a WRITE that ends before its DMALen.',
    breaks: 'a WRITE carries exactly its DMALen',
    statements: ['ee-rem-inv-req-bad-payload-length'],
  },
  {
    id: 'write-loses-last-byte',
    says: 'Leaves out the last byte of a WRITE.',
    breaks: 'all bytes of a WRITE reach memory',
    statements: [],
  },
  {
    id: 'long-send-truncated',
    says: 'Cuts a SEND that is longer than its receive buffer.',
    breaks: 'a SEND longer than its receive buffer is refused',
    statements: ['ee-send-short-recv-buffer', 'ee-loc-len-responder-nak'],
  },
  {
    id: 'fetch-add-32-bits',
    says: 'Adds only the lower 32 bits.',
    breaks: 'FetchAdd is a 64-bit addition',
    statements: ['rc-atomic-kinds'],
  },
  {
    id: 'compare-swap-always',
    says: 'Swaps without comparing.',
    breaks: 'CmpSwap writes only where the comparison holds',
    statements: ['rc-atomic-kinds'],
  },
] as const satisfies readonly Mutant[];
