import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/protection.ts`. */
export const protection = {
  // No rule asks for the key, so that the request must be carried out.
  'zero-length-checks-rkey': ['rc-read-executed', 'rc-write-complete-asked', 'rc-write-immediate-asked'],
  'rkey-bounds-off-by-one': ['rc-remote-access-denied'],
  'access-right-unchecked': ['rc-remote-access-denied', 'rc-effects-remote-key', 'uc-access-denied'],
  'qp-access-unchecked': ['rc-request-disabled', 'uc-write-disabled', 'rc-effects-remote-right'],
  'pd-unchecked': ['rc-remote-access-denied'],
  'unaligned-atomic-accepted': ['rc-atomic-misaligned', 'rc-effects-misaligned'],
  'resource-overflow-executed': ['rc-no-responder-resources', 'rc-effects-no-resources'],
  'dma-length-31-bits': ['rc-length-wrong', 'rc-read-denied-midway'],
  'write-beyond-length-accepted': ['rc-length-wrong'],
  'short-write-accepted': ['rc-length-wrong', 'uc-length-wrong'],
  'write-loses-last-byte': [
    'rc-memory-written',
    'unreliable-memory-written',
    'rc-effects-write',
    'uc-effects-write',
  ],
  'long-send-truncated': [
    'rc-send-too-long',
    'uc-send-too-long',
    'uc-effects-short-receive',
    'rc-effects-short-receive',
  ],
  'fetch-add-32-bits': ['rc-memory-written'],
  'compare-swap-always': ['rc-memory-written'],
} satisfies MutantEntries;
