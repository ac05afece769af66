import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/protection.ts`. */
export const protection = {
  // No rule asks for the key, so that the request must be carried out.
  'zero-length-checks-rkey': ['rc-read-executed', 'rc-write-complete-asked', 'rc-write-immediate-asked'],
  'rkey-bounds-off-by-one': ['rc-remote-access-denied'],
  'access-right-unchecked': ['rc-remote-access-denied'],
  'qp-access-unchecked': ['rc-request-disabled'],
  'pd-unchecked': ['rc-remote-access-denied'],
  'unaligned-atomic-accepted': ['rc-atomic-misaligned'],
  'resource-overflow-executed': ['rc-no-responder-resources'],
  'dma-length-31-bits': ['rc-length-wrong'],
  'write-beyond-length-accepted': ['rc-length-wrong'],
  'short-write-accepted': ['rc-length-wrong'],
  'write-loses-last-byte': ['rc-memory-written'],
  'long-send-truncated': ['rc-send-too-long'],
  'fetch-add-32-bits': ['rc-memory-written'],
  'compare-swap-always': ['rc-memory-written'],
} satisfies MutantEntries;
